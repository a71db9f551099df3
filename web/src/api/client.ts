import { jsonLine } from '../format/deep-json.ts';
import type { ErrorDetail } from './wire.ts';

/** A refusal of the service, in its own words. */
export class ApiError extends Error {
  /** HTTP status; 0 when the service did not answer at all. */
  readonly status: number;
  /** A code of the contract, or `unreachable`. */
  readonly code: string;
  readonly details: readonly ErrorDetail[];
  readonly retryAfterSeconds: number | null;

  constructor(
    status: number,
    code: string,
    message: string,
    details: readonly ErrorDetail[] = [],
    retryAfterSeconds: number | null = null,
  ) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.code = code;
    this.details = details;
    this.retryAfterSeconds = retryAfterSeconds;
  }

  /** The permission that the caller lacks, where the refusal names one. */
  get permission(): string | null {
    return this.status === 403 ? (/permission ([a-z]+:[a-z]+)/.exec(this.message)?.[1] ?? null) : null;
  }
}

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/**
 * Sends a request with the session's cookie and gives the body of the answer.
 *
 * Errors: {@link ApiError} for every answer but 2xx, and when there is none.
 */
export function send<T>(method: Method, url: string, body?: object, signal?: AbortSignal): Promise<T> {
  return sendText(method, url, body === undefined ? undefined : { text: jsonLine(body), type: 'application/json' }, signal);
}

/** What a request carries as it is: JSON that keeps its numbers exactly, or a file. */
export interface Content {
  text: string | Blob;
  /** Its media type. */
  type: string;
}

/** The same with a body as it is. */
export async function sendText<T>(method: Method, url: string, content?: Content, signal?: AbortSignal): Promise<T> {
  const answer = await fetch(url, {
    method,
    credentials: 'same-origin',
    headers: { accept: 'application/json', ...(content === undefined ? {} : { 'content-type': content.type }) },
    ...(content === undefined ? {} : { body: content.text }),
    ...(signal === undefined ? {} : { signal }),
  }).catch((error: unknown) => {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw unreachable();
  });
  if (!answer.ok) throw await refusalOf(answer);
  return (answer.status === 204 ? undefined : await answer.json()) as T;
}

/** Whether the service answers at all. */
export function serviceAnswers(): Promise<boolean> {
  return fetch('/healthz', { cache: 'no-store' }).then(
    () => true,
    () => false,
  );
}

/** Whether an error says that the service does not answer. */
export function isUnreachable(error: unknown): boolean {
  return error instanceof ApiError && error.status === 0;
}

/** The service does not answer. */
export function unreachable(): ApiError {
  return new ApiError(0, 'unreachable', 'The service does not answer; check that it runs and that you are connected.');
}

async function refusalOf(answer: Response): Promise<ApiError> {
  const retryAfter = Number(answer.headers.get('retry-after'));
  const body = (await answer.json().catch(() => ({}))) as { error?: string; code?: string; details?: ErrorDetail[] };
  return new ApiError(
    answer.status,
    body.code ?? 'unknown',
    body.error ?? `The service answered with status ${answer.status}; try again in a moment.`,
    body.details,
    retryAfter > 0 ? retryAfter : null,
  );
}

/** A GET, as the queries use it. */
export function get<T>(url: string, signal?: AbortSignal): Promise<T> {
  return send('GET', url, undefined, signal);
}
