import { useEffect } from 'react';
import type { ReactNode } from 'react';
import { isUnreachable, serviceAnswers } from '../api/client.ts';
import { Failure } from '../design/states.tsx';

const retryMs = 3_000;

/** Shown when a page failed to load. If the service was unreachable, retries until it responds. */
export function PageFailure({ error }: { error: unknown }): ReactNode {
  const unreachable = isUnreachable(error);
  useEffect(() => {
    if (!unreachable) return;
    const timer = setInterval(() => void reload(), retryMs);
    return () => clearInterval(timer);
  }, [unreachable]);
  return <Failure error={error} onRetry={() => void reload()} />;
}

/** Reloads the document, but only if the service responds: otherwise the browser would show its own error page. */
async function reload(): Promise<void> {
  if (await serviceAnswers()) location.reload();
}
