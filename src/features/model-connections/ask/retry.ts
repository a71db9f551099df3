import { ModelError } from './model-error.ts';

/** Waits so many milliseconds; rejects when the signal aborts. Injected, so that tests do not wait. */
export type Delay = (ms: number, signal?: AbortSignal) => Promise<void>;

export interface RetryOptions {
  delay: Delay;
  /** 0 up to 1, excluded. */
  random(): number;
  signal?: AbortSignal | undefined;
}

const maxAttempts = 3;
const firstWaitMs = 1_000;
/** A longer wait is left to the caller. */
const maxWaitMs = 20_000;

/**
 * Runs an attempt up to three times, as long as it fails with a retryable {@link ModelError}. Waits 1 s, then 2 s, each with a jitter of
 * half up or down, and never less than `retryAfterMs` of the error. Throws the last error.
 */
export async function withRetries<T>(attempt: () => Promise<T>, { delay, random, signal }: RetryOptions): Promise<T> {
  for (let attempts = 1; ; attempts++) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof ModelError) || !error.retryable || attempts === maxAttempts) throw error;
      const backoff = firstWaitMs * 2 ** (attempts - 1) * (0.5 + random());
      const wait = Math.max(backoff, error.retryAfterMs ?? 0);
      if (wait > maxWaitMs) throw error;
      // An aborted wait ends with the error of the attempt.
      await delay(wait, signal).catch(() => Promise.reject(error));
    }
  }
}
