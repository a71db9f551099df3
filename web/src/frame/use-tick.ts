import { useEffect, useState } from 'react';

/** The current time, epoch milliseconds; renders again every `everyMs`, so that what depends on the time follows it. */
export function useTick(everyMs: number): number {
  const [nowMs, setNowMs] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return nowMs;
}
