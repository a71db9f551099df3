/** Why a question to a model has no answer. */
export type ModelErrorCode =
  /** The API key cannot be decrypted, or the server refuses it. */
  | 'key'
  /** The server refuses the request: 4xx other than the key's. */
  | 'rejected'
  /** No answer, 5xx, or a status that asks for a retry. */
  | 'unavailable'
  /** Too many questions wait in this process. */
  | 'busy'
  /** The answer is not a chat completion, or has no JSON object where one was asked for. */
  | 'invalid-answer'
  /** The model reached its token limit before the JSON object was complete. */
  | 'cut-off'
  /** The model refuses to answer. */
  | 'refusal';

/** Tokens of one answered question, and their cost. */
export interface ModelUsage {
  inputTokens: number;
  outputTokens: number;
  /** US dollars; null when the price is not known. */
  costUsd: number | null;
}

export interface ModelErrorOptions {
  /** Whether the same question may succeed later. */
  retryable: boolean;
  /** Minimum wait before a retry, in milliseconds. */
  retryAfterMs?: number | undefined;
  /** Usage of an unusable answer. */
  usage?: ModelUsage;
  cause?: unknown;
}

/** A question without a usable answer. The message is for members of the project: one sentence that says what to do, without secrets. */
export class ModelError extends Error {
  readonly code: ModelErrorCode;
  readonly retryable: boolean;
  readonly retryAfterMs: number | undefined;
  readonly usage: ModelUsage | undefined;

  constructor(code: ModelErrorCode, message: string, { retryable, retryAfterMs, usage, cause }: ModelErrorOptions) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'ModelError';
    this.code = code;
    this.retryable = retryable;
    this.retryAfterMs = retryAfterMs;
    this.usage = usage;
  }
}
