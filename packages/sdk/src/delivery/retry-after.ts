import type { Answer } from '../service.ts';

const firstBackoffMs = 500;
const longestBackoffMs = 30_000;

/** Milliseconds before another attempt, after so many failed ones: doubled each time, with jitter, at most 30 s. */
export function backoffMs(failures: number, random: number): number {
  return Math.min(longestBackoffMs, firstBackoffMs * 2 ** Math.min(failures - 1, 10)) * (0.5 + random / 2);
}

/** Milliseconds that an answer 429 or 503 asks to wait by `Retry-After`, in seconds or as a date; undefined when it asks for none. */
export function askedWaitMs({ status, headers }: Pick<Answer, 'status' | 'headers'>, nowMs: number): number | undefined {
  const header = status === 429 || status === 503 ? headers.get('retry-after') : null;
  if (!header) return undefined;
  const ms = /^\d+(?:\.\d+)?$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - nowMs;
  return ms > 0 ? ms : undefined;
}
