import { createElement, useEffect, useState } from 'react';
import type { ComponentType, ReactNode } from 'react';

/**
 * Loads a component on first use and shows `waiting` until then. React's lazy and Suspense show the fallback for at least 300 ms, even
 * if the component is available sooner.
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
    // Handled by the router's error component.
    if (failure) throw failure.error;
    return component ? createElement(component, props) : waiting;
  };
}
