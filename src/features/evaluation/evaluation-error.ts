/** Tokens and cost of the evaluation itself. */
export interface EvaluationUsage {
  inputTokens: number;
  outputTokens: number;
  /** US dollars; null when the price is not known. */
  costUsd: number | null;
}

export interface EvaluationErrorOptions {
  /** Whether the same evaluation may succeed later. */
  retryable: boolean;
  /** Minimum wait before a retry, in milliseconds. */
  retryAfterMs?: number;
  /** Usage of the failed attempt. */
  usage?: EvaluationUsage;
  cause?: unknown;
}

/** A failed evaluation. The message is for the members of the project: one sentence that says what to do, without secrets. */
export class EvaluationError extends Error {
  readonly retryable: boolean;
  readonly retryAfterMs: number | undefined;
  readonly usage: EvaluationUsage | undefined;

  constructor(message: string, { retryable, retryAfterMs, usage, cause }: EvaluationErrorOptions) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'EvaluationError';
    this.retryable = retryable;
    this.retryAfterMs = retryAfterMs;
    this.usage = usage;
  }
}
