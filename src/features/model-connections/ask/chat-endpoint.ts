import { dayMs } from '../../../contract/durations.ts';
import type { Clock } from '../../../platform/clock/clock.ts';
import { NetError, retryAfterMs } from '../../../platform/net/index.ts';
import type { HttpClient, IncomingAnswer } from '../../../platform/net/index.ts';
import { cutText, storableText } from '../../../platform/text/index.ts';
import { ModelError } from './model-error.ts';
import { withoutSecret } from './without-secret.ts';

const defaultAnswerBytes = 1_048_576;
/** Characters of a server's message that a {@link ModelError} repeats. */
const maxQuote = 300;
/** Bytes of the body of an error; a larger one is not read. */
const longestError = 65_536;
/** Milliseconds that `Retry-After` is followed at most: a day. */
const longestWaitMs = dayMs;

/** The server of a model connection, with its API key in the clear. */
export interface ChatServer {
  /** The connection's name, for messages. */
  name: string;
  baseUrl: string;
  /** null: the server needs none. */
  apiKey: string | null;
}

export interface ChatRequest {
  /** The JSON body of the request. */
  body: object;
  /** Whose answers count against a share of the memory for all. */
  projectId: string;
  timeoutMs: number;
  /** Maximum bytes of the answer's body; 1 MiB by default. */
  maxAnswerBytes?: number | undefined;
  signal?: AbortSignal | undefined;
}

/** The server rejects the request itself (400 or 422); `reason` is the server's message. */
export class RequestRejected extends ModelError {
  readonly reason: string;

  constructor(message: string, reason: string) {
    super('rejected', message, { retryable: false });
    this.reason = reason;
  }
}

/**
 * Sends one chat completion request and returns the body of the answer.
 *
 * Errors: {@link RequestRejected} for 400 and 422; {@link ModelError} for any other status but 200, retryable for 408, 409, 425, 429, 5xx,
 * timeouts and broken connections. No message contains the API key.
 */
export async function askChat(
  { http, clock }: { http: Pick<HttpClient, 'request'>; clock: Clock },
  server: ChatServer,
  { body, projectId, timeoutMs, maxAnswerBytes = defaultAnswerBytes, signal }: ChatRequest,
): Promise<Buffer> {
  const { name, apiKey } = server;
  let answer: IncomingAnswer;
  try {
    answer = await http.request({
      url: `${withoutTrailingSlashes(server.baseUrl)}/chat/completions`,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        ...(apiKey === null ? {} : { authorization: `Bearer ${apiKey}` }),
      },
      body: JSON.stringify(body),
      timeoutMs,
      maxResponseBytes: maxAnswerBytes,
      budgetKey: projectId,
      // A redirect would send the key to another server.
      maxRedirects: 0,
      ...(signal ? { signal } : {}),
    });
  } catch (error) {
    throw networkError(error, name);
  }
  if (answer.status !== 200) throw statusError(answer, server, clock.now());
  return answer.body;
}

function withoutTrailingSlashes(url: string): string {
  let end = url.length;
  while (url[end - 1] === '/') end -= 1;
  return url.slice(0, end);
}

const retryableKinds = new Set(['name', 'unreachable', 'timeout', 'broken', 'aborted', 'busy']);

function networkError(error: unknown, name: string): unknown {
  if (!(error instanceof NetError)) return error;
  if (error.kind === 'too-large') {
    const message = `The answer of the model connection ${name} is too large: ${error.message}; ask for a shorter one.`;
    return new ModelError('invalid-answer', message, { retryable: false, cause: error });
  }
  return new ModelError('unavailable', `The model connection ${name} did not answer: ${error.message}`, {
    retryable: retryableKinds.has(error.kind),
    cause: error,
  });
}

function statusError({ status, headers, body }: IncomingAnswer, { name, apiKey }: ChatServer, nowMs: number): ModelError {
  const reason = withoutSecret(errorMessageOf(body), apiKey);
  const quoted = reason === '' ? '' : `: ${reason}`;
  if (status === 400 || status === 422)
    return new RequestRejected(`The model connection ${name} refuses the request (${status})${quoted}`, reason);
  const final = finalStatus(status, quoted);
  if (final)
    return new ModelError(final.code, `The model connection ${name} ${final.message}`, { retryable: false, answered: true });
  const waitMs = retryAfterMs(headers['retry-after'], nowMs);
  const retryable = status >= 500 || status === 429 || status === 408 || status === 409 || status === 425;
  return new ModelError(retryable ? 'unavailable' : 'rejected', `The model connection ${name} answered ${status}${quoted}`, {
    retryable,
    answered: true,
    retryAfterMs: waitMs === undefined ? undefined : Math.min(waitMs, longestWaitMs),
  });
}

function finalStatus(status: number, quoted: string): { code: 'key' | 'rejected'; message: string } | null {
  // Without the server's message, which may repeat a part of the key in another form.
  if (status === 401 || status === 403) return { code: 'key', message: `refuses its API key (${status}); set a valid one.` };
  if (status === 404) return { code: 'rejected', message: `has no such model or address (404); check both${quoted}` };
  if (status >= 300 && status < 400)
    return { code: 'rejected', message: `redirects (${status}); set its base URL to the final address.` };
  return null;
}

/** `error.message` of an OpenAI-compatible error body; '' for any other body, which could come from any server. */
function errorMessageOf(body: Buffer): string {
  if (body.length > longestError) return '';
  try {
    const { error } = JSON.parse(body.toString('utf8')) as { error?: { message?: unknown } };
    return typeof error?.message === 'string' ? quotable(error.message) : '';
  } catch {
    return '';
  }
}

/** One line that databases can store: cut, without NUL characters and lone surrogates. */
function quotable(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return storableText(cutText(line, maxQuote, '…'));
}
