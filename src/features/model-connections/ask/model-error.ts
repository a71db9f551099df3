/** Why a question to a model has no answer. */
export type ModelErrorCode =
  /** The API key cannot be decrypted, or the server refuses it. */
  | 'key'
  /** The server refuses the request: 4xx other than the key's. */
  | 'rejected'
  /** No answer, 5xx, or a status that asks to come back later. */
  | 'unavailable'
  /** Too many questions wait in this process. */
  | 'busy'
  /** The answer is not a chat completion, or has no JSON object where one was asked for. */
  | 'invalid-answer'
  /** The model ran into its limit of tokens before it came to the JSON object. */
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
  /** No sooner than after this many milliseconds. */
  retryAfterMs?: number | undefined;
  /** What an answer cost that cannot be used. */
  usage?: ModelUsage;
  cause?: unknown;
}

/** A question without a usable answer. The message is a sentence for the people of the project that says what to do; it holds no secret. */
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
