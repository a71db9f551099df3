import type { Clock } from '../../../platform/clock/clock.ts';
import { NetError } from '../../../platform/net/index.ts';
import type { HttpClient, IncomingAnswer } from '../../../platform/net/index.ts';
import { EvaluationError, storableText } from '../types/evaluator-type.ts';
import { retryAfterMs } from './retry.ts';
import { withoutSecret } from './without-secret.ts';

/** Longest time and largest answer of one question to a model. */
const timeoutMs = 60_000;
const largestAnswer = 1_048_576;
const longestQuote = 300;

/** A model connection, opened. */
export interface ChatConnection {
  id: string;
  name: string;
  baseUrl: string;
  /** null: the endpoint takes none. */
  apiKey: string | null;
}

export interface ChatEndpoint {
  http: Pick<HttpClient, 'request'>;
  clock: Clock;
  /** Longest time of one question, in milliseconds; for tests. */
  timeoutMs?: number;
}

/** The server does not take the request as it is (400 or 422), and what it says of it. */
export class RequestRefused extends EvaluationError {
  readonly told: string;

  constructor(message: string, told: string) {
    super(message, { retryable: false });
    this.told = told;
  }
}

/**
 * Sends one chat completion request and reads the answer's JSON.
 *
 * Errors: {@link RequestRefused} for 400 and 422; {@link EvaluationError} for everything else but 200, retryable where the server may
 * answer later: 408, 409, 425, 429, 5xx, timeouts and broken connections. No message holds the API key.
 */
export async function askChat(
  endpoint: ChatEndpoint,
  connection: ChatConnection,
  request: object,
  signal?: AbortSignal,
): Promise<unknown> {
  const { name, apiKey } = connection;
  let answer: IncomingAnswer;
  try {
    answer = await endpoint.http.request({
      url: `${connection.baseUrl.replace(/\/+$/, '')}/chat/completions`,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        ...(apiKey === null ? {} : { authorization: `Bearer ${apiKey}` }),
      },
      body: JSON.stringify(request),
      timeoutMs: endpoint.timeoutMs ?? timeoutMs,
      maxResponseBytes: largestAnswer,
      maxRedirects: 0,
      ...(signal ? { signal } : {}),
    });
  } catch (error) {
    throw failureOf(error, name);
  }
  if (answer.status !== 200) throw refusalOf(answer, connection, endpoint.clock);
  try {
    return JSON.parse(answer.body.toString('utf8'));
  } catch (cause) {
    throw new EvaluationError(`The model connection ${name} answered what is not JSON; check its base URL.`, {
      retryable: false,
      cause,
    });
  }
}

const retryableKinds = new Set(['name', 'unreachable', 'timeout', 'broken', 'aborted']);

function failureOf(error: unknown, name: string): unknown {
  if (!(error instanceof NetError)) return error;
  return new EvaluationError(`The model connection ${name} did not answer: ${error.message}`, {
    retryable: retryableKinds.has(error.kind),
    cause: error,
  });
}

function refusalOf(answer: IncomingAnswer, { name, apiKey }: ChatConnection, clock: Clock): EvaluationError {
  const { status, headers } = answer;
  const told = withoutSecret(toldBy(answer.body), apiKey);
  const quoted = told === '' ? '' : `: ${told}`;
  if (status === 400 || status === 422) {
    return new RequestRefused(`The model connection ${name} refuses the request (${status})${quoted}`, told);
  }
  if (status === 401 || status === 403) {
    // What it says may repeat a part of the key, in one form or another.
    return new EvaluationError(`The model connection ${name} refuses its API key (${status}); set a valid one.`, {
      retryable: false,
    });
  }
  if (status === 404) {
    return new EvaluationError(`The model connection ${name} has no such model or address (404); check both${quoted}`, {
      retryable: false,
    });
  }
  if (status >= 300 && status < 400) {
    return new EvaluationError(`The model connection ${name} redirects (${status}); set its base URL to the final address.`, {
      retryable: false,
    });
  }
  const wait = retryAfterMs(headers['retry-after'], clock.now());
  const retryable = status >= 500 || status === 429 || status === 408 || status === 409 || status === 425;
  return new EvaluationError(`The model connection ${name} answered ${status}${quoted}`, {
    retryable,
    ...(wait === undefined ? {} : { retryAfterMs: wait }),
  });
}

/** `error.message` of an OpenAI-compatible refusal. Other bodies are not repeated: anything may stand behind an address. */
function toldBy(body: Buffer): string {
  try {
    const { error } = JSON.parse(body.toString('utf8')) as { error?: { message?: unknown } };
    return typeof error?.message === 'string' ? storableText(error.message.replaceAll(/\s+/g, ' ').trim(), longestQuote) : '';
  } catch {
    return '';
  }
}
