import { createElement, useEffect, useState } from 'react';
import type { ComponentType, ReactNode } from 'react';

/**
 * A component that is loaded when it is first shown; `waiting` stands there until then. React's own way (lazy, Suspense) keeps what waits in
 * sight for 300 ms, even when the component is there at once.
 */
export function deferred<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
  waiting: ReactNode = null,
): (props: Props) => ReactNode {
  let loaded: ComponentType<Props> | null = null;
  return function Deferred(props) {
    const [component, setComponent] = useState(() => loaded);
    const [failure, setFailure] = useState<{ error: unknown } | null>(null);
    useEffect(() => {
      if (component) return undefined;
      let shown = true;
      load().then(
        (module) => {
          loaded = module.default;
          if (shown) setComponent(() => module.default);
        },
        (error: unknown) => {
          if (shown) setFailure({ error });
        },
      );
      return () => {
        shown = false;
      };
    }, [component]);
    // For the router to show, as it does for a page that cannot be loaded.
    if (failure) throw failure.error;
    return component ? createElement(component, props) : waiting;
  };
}
