import { useEffect } from 'react';
import type { ReactNode } from 'react';
import { isUnreachable, serviceAnswers } from '../api/client.ts';
import { Failure } from '../design/states.tsx';

const everyMs = 3_000;

/** A page that could not be opened. When the service did not answer, it is opened as soon as it does. */
export function PageFailure({ error }: { error: unknown }): ReactNode {
  const away = isUnreachable(error);
  useEffect(() => {
    if (!away) return;
    const timer = setInterval(() => void openAgain(), everyMs);
    return () => clearInterval(timer);
  }, [away]);
  return <Failure error={error} onRetry={() => void openAgain()} />;
}

/** Loads the document anew, unless that would lead to the browser's own error page. */
async function openAgain(): Promise<void> {
  if (await serviceAnswers()) location.reload();
}
