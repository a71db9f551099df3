import { EvaluationError } from '../types/evaluator-type.ts';

/** Waits; given by the composition root, so that tests wait for nothing. */
export type Delay = (ms: number, signal?: AbortSignal) => Promise<void>;

export interface RetryOptions {
  delay: Delay;
  /** 0 up to 1, excluded. */
  random(): number;
  signal?: AbortSignal | undefined;
}

const mostAttempts = 3;
const firstWaitMs = 1_000;
/** A server that asks for more patience is left to the queue of evaluations. */
const longestWaitMs = 20_000;

/**
 * Runs an attempt up to three times, as long as it fails with an {@link EvaluationError} that says that it may succeed later. Waits 1 s, then
 * 2 s, each give or take a half, and never less than the server asked for.
 */
export async function withRetries<T>(attempt: () => Promise<T>, { delay, random, signal }: RetryOptions): Promise<T> {
  for (let attempts = 1; ; attempts++) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof EvaluationError) || !error.retryable || attempts === mostAttempts) throw error;
      const backoff = firstWaitMs * 2 ** (attempts - 1) * (0.5 + random());
      const wait = Math.max(backoff, error.retryAfterMs ?? 0);
      if (wait > longestWaitMs) throw error;
      // Woken early because nobody waits for the answer any more: it failed as it did.
      await delay(wait, signal).catch(() => Promise.reject(error));
    }
  }
}

/** `Retry-After` in milliseconds, given in seconds or as a date; undefined when it says nothing. At most a day. */
export function retryAfterMs(header: string | undefined, nowMs: number): number | undefined {
  if (header === undefined) return undefined;
  const seconds = /^\d{1,9}$/.test(header.trim()) ? Number(header) : (Date.parse(header) - nowMs) / 1_000;
  return Number.isFinite(seconds) ? Math.min(Math.max(seconds, 0), 86_400) * 1_000 : undefined;
}
