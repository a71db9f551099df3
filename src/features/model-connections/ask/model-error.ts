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

/** Codes of questions that the server may never have got. */
const mayBeUnanswered: ReadonlySet<ModelErrorCode> = new Set(['key', 'unavailable', 'busy']);

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
  /** Whether the server answered, if only with a refusal. Default: as the code says. */
  answered?: boolean;
  cause?: unknown;
}

/** A question without a usable answer. The message is for members of the project: one sentence that says what to do, without secrets. */
export class ModelError extends Error {
  readonly code: ModelErrorCode;
  readonly retryable: boolean;
  readonly retryAfterMs: number | undefined;
  readonly usage: ModelUsage | undefined;
  readonly answered: boolean;

  constructor(code: ModelErrorCode, message: string, options: ModelErrorOptions) {
    const { retryable, retryAfterMs, usage, cause, answered = !mayBeUnanswered.has(code) } = options;
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'ModelError';
    this.code = code;
    this.retryable = retryable;
    this.retryAfterMs = retryAfterMs;
    this.usage = usage;
    this.answered = answered;
  }
}
