import { useEffect, useState } from 'react';

/**
 * Since when a subject is on the screen.
 *
 * @param subject identifies what is rendered; null while nothing is
 * @returns the time of its first paint, in milliseconds of `performance.now()`; null before it
 */
export function usePainted(subject: string | null): number | null {
  const [painted, setPainted] = useState<{ subject: string; since: number } | null>(null);
  useEffect(() => {
    if (subject === null) return undefined;
    // The second frame starts after the first one was painted.
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(() => setPainted({ subject, since: performance.now() }));
    });
    return () => cancelAnimationFrame(frame);
  }, [subject]);
  return painted !== null && painted.subject === subject ? painted.since : null;
}
