import { jsonLine } from '../format/deep-json.ts';
import { urlTo } from './operations.ts';
import type { AnswerOf, BodyOf, Method, ParametersOf, PathOf } from './operations.ts';
import type { ErrorDetail } from './parts.ts';

/** An error response of the service. */
export class ApiError extends Error {
  /** HTTP status; 0 if there was no response. */
  readonly status: number;
  /** An error code of the contract, or `unreachable`. */
  readonly code: string;
  readonly details: readonly ErrorDetail[];
  readonly retryAfterSeconds: number | null;
  /** The body of the response, for fields of certain codes such as `attached`. Empty without one. */
  readonly body: Readonly<Record<string, unknown>>;

  constructor(
    status: number,
    code: string,
    message: string,
    details: readonly ErrorDetail[] = [],
    retryAfterSeconds: number | null = null,
    body: Readonly<Record<string, unknown>> = {},
  ) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.code = code;
    this.details = details;
    this.retryAfterSeconds = retryAfterSeconds;
    this.body = body;
  }

  /** The missing permission, if a 403 names one. */
  get permission(): string | null {
    return this.status === 403 ? (/permission ([a-z]+:[a-z]+)/.exec(this.message)?.[1] ?? null) : null;
  }
}

/**
 * Sends a request of the OpenAPI document, with the session cookie.
 *
 * @param parameters of the path and the query
 * @returns the parsed response body; undefined for one without
 * @throws {ApiError} for a status other than 2xx, and with status 0 if there is no response
 */
export function send<M extends Method, Path extends PathOf<M>>(
  method: M,
  path: Path,
  parameters: ParametersOf<M, Path>,
  body?: BodyOf<M, Path>,
  signal?: AbortSignal,
): Promise<AnswerOf<M, Path>> {
  const content = body === undefined ? undefined : { text: jsonLine(body), type: 'application/json' };
  return request(method, urlTo(path, parameters), content, signal);
}

/** A request body that is sent unchanged: a file, or JSON text with exact numbers. */
export interface Content {
  text: string | Blob;
  /** Media type. */
  type: string;
}

/** Like {@link send}, with a body that is sent unchanged. */
export function sendText<M extends Method, Path extends PathOf<M>>(
  method: M,
  path: Path,
  parameters: ParametersOf<M, Path>,
  content: Content,
  signal?: AbortSignal,
): Promise<AnswerOf<M, Path>> {
  return request(method, urlTo(path, parameters), content, signal);
}

/** Sends a GET request of the OpenAPI document. See {@link send}. */
export function get<Path extends PathOf<'GET'>>(
  path: Path,
  parameters: ParametersOf<'GET', Path>,
  signal?: AbortSignal,
): Promise<AnswerOf<'GET', Path>> {
  return request('GET', urlTo(path, parameters), undefined, signal);
}

/** Reads the OpenAPI document, which does not describe itself. */
export function read<T>(url: '/v1/openapi.json', signal?: AbortSignal): Promise<T> {
  return request('GET', url, undefined, signal);
}

async function request<T>(method: Method, url: string, content?: Content, signal?: AbortSignal): Promise<T> {
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
  if (!answer.ok) throw await errorOf(answer, url);
  return (answer.status === 204 ? undefined : await answer.json()) as T;
}

/** Whether the service responds. */
export function serviceAnswers(): Promise<boolean> {
  return fetch('/healthz', { cache: 'no-store' }).then(
    () => true,
    () => false,
  );
}

/** Whether the error means that the service did not respond. */
export function isUnreachable(error: unknown): boolean {
  return error instanceof ApiError && error.status === 0;
}

/** Whether the error means that the service did not respond, or that it or a proxy before it cannot serve requests now. */
export function isDown(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status >= 502);
}

/** The error for a request without a response. */
export function unreachable(): ApiError {
  return new ApiError(0, 'unreachable', 'Check that the service is running and that you are online.');
}

/**
 * A refusal because there is no session, as status 401: routes for sessions alone answer 403. The service's text is for callers with an
 * API key; this one also stays true after signing in again.
 */
function sessionEnded(): ApiError {
  return new ApiError(401, 'unauthenticated', 'Your session had ended. Sign in, then try again.');
}

function lacksSession(status: number, error: string | undefined, url: string): boolean {
  // Where one signs in, the service says who must.
  if (status === 401) return url !== urlTo('/v1/auth/login') && url !== urlTo('/v1/invitations/accept');
  return status === 403 && error?.startsWith('Sign in to the dashboard') === true;
}

async function errorOf(answer: Response, url: string): Promise<ApiError> {
  const retryAfter = Number(answer.headers.get('retry-after'));
  const body = (await answer.json().catch(() => ({}))) as { error?: string; code?: string; details?: ErrorDetail[] };
  if (lacksSession(answer.status, body.error, url)) return sessionEnded();
  return new ApiError(
    answer.status,
    body.code ?? 'unknown',
    body.error ?? `The service responded with status ${answer.status}. Try again later.`,
    body.details,
    retryAfter > 0 ? retryAfter : null,
    body,
  );
}
