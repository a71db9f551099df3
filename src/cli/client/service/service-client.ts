import { visible } from '../terminal/terminal.ts';
import { Misuse, NoAnswer, Refusal } from './refusal.ts';

/** Milliseconds after which a request without an answer is given up. */
const longestRequestMs = 120_000;

/** A running service that a command talks to. */
export interface ServiceClient {
  /** Where it is. */
  readonly url: string;
  /** The successful answer. Errors: {@link Refusal}, in one line with the service's answer; {@link NoAnswer}. */
  send(path: string, init?: RequestInit): Promise<Response>;
  /** Sends JSON, if a body is given, and reads JSON. Errors: as `send`. */
  json<T>(method: string, path: string, body?: unknown): Promise<T>;
}

interface ClientOptions {
  url: string;
  /** An API key or a personal access token. */
  credential: string;
  /** What to correct, by status. */
  hints?: Readonly<Record<number, string>>;
  /** The option or variable that says where the service is. */
  urlOption: string;
}

/** Errors: {@link Misuse} if the URL is none. */
export function openServiceClient({ url, credential, hints = {}, urlOption }: ClientOptions): ServiceClient {
  if (!/^https?:/i.test(url) || !URL.canParse(url)) {
    throw new Misuse(`give as ${urlOption} where the service is, for example http://127.0.0.1:4318`);
  }
  const send = async (path: string, init: RequestInit = {}): Promise<Response> => {
    const target = new URL(path, url);
    const headers = { ...(init.headers as Record<string, string> | undefined), authorization: `Bearer ${credential}` };
    const answer = await fetch(target, { ...init, headers }).catch((error: unknown) => {
      const { code, message } = ((error as Error).cause ?? error) as { code?: unknown; message: string };
      const why = typeof code === 'string' ? code : message;
      throw new NoAnswer(`${target.origin} cannot be reached (${why}); start the service, or give its ${urlOption}`);
    });
    if (answer.ok) return answer;
    const body = objectIn(await textOf(answer, target.origin));
    const hint = hints[answer.status];
    const sentence = `the service answered ${answer.status}: ${visible(String(body['error']))}`;
    const detail = { status: answer.status, ...body };
    // A proxy may give a date, which is not read.
    const retryAfter = /^\d+$/.exec(answer.headers.get('retry-after') ?? '');
    throw new Refusal(
      hint === undefined ? sentence : `${sentence} ${hint}`,
      detail,
      retryAfter === null ? null : Number(retryAfter[0]),
    );
  };
  return {
    url,
    send,
    async json<T>(method: string, path: string, body?: unknown): Promise<T> {
      const content = { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
      const signal = AbortSignal.timeout(longestRequestMs);
      const answer = await send(path, { method, signal, ...(body === undefined ? {} : content) });
      const text = await textOf(answer, new URL(url).origin);
      try {
        return JSON.parse(text) as T;
      } catch {
        throw new NoAnswer(`${url} answered with something else than JSON; give the ${urlOption} of a Spanwise service`);
      }
    },
  };
}

async function textOf(answer: Response, origin: string): Promise<string> {
  try {
    return await answer.text();
  } catch (error) {
    throw new NoAnswer(`the answer of ${origin} broke off (${(error as Error).message}); try again`);
  }
}

function objectIn(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && 'error' in value) return value as Record<string, unknown>;
  } catch {
    // Not an answer of the service: a proxy's page, for example.
  }
  return { error: text.slice(0, 500) };
}
