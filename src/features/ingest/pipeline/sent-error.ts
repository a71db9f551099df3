import { ServiceError } from '../../../contract/errors.ts';

/** An error on its way to another thread, where nothing but its text would be left of it. */
export interface SentError {
  /** With its stack and its cause's, for the log. */
  text: string;
  /** What callers are told where it means that something is away for the moment. */
  unavailable: { message: string; retryAfterSeconds: number } | null;
}

/** An error as it goes to another thread. */
export function sendError(error: unknown): SentError {
  const away = error instanceof ServiceError && error.code === 'unavailable';
  return {
    text: textOf(error),
    unavailable: away ? { message: error.message, retryAfterSeconds: error.retryAfterSeconds ?? 5 } : null,
  };
}

function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const text = error.stack ?? error.message;
  return error.cause === undefined ? text : `${text}\ncaused by ${textOf(error.cause)}`;
}

/** What {@link sendError} made of an error, as an error again. */
export function receiveError({ text, unavailable }: SentError): Error {
  if (unavailable === null) return new Error(text);
  const { message, retryAfterSeconds } = unavailable;
  return new ServiceError('unavailable', message, { retryAfterSeconds, cause: new Error(text) });
}
