import { lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { Agent, request as send } from 'undici';
import type { Dispatcher } from 'undici';
import { mayConnect } from './address-policy.ts';
import type { AddressPolicy } from './address-policy.ts';
import { bareHost, guardedConnector, guardedLookup } from './guarded-connector.ts';
import type { Resolve } from './guarded-connector.ts';
import { NetError, netErrorOf } from './net-error.ts';

export interface HttpClientOptions {
  addresses: AddressPolicy;
  /** Longest time to connect, the look-up included; default 10 s. */
  connectTimeoutMs?: number;
  /** Finds the addresses of a host; for tests. */
  resolve?: Resolve;
  /** In place of the policy; for tests, which have no public server. */
  allows?: (address: string) => boolean;
}

export interface OutgoingRequest {
  /** http or https, without credentials. */
  url: string;
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  headers?: Readonly<Record<string, string>>;
  body?: string | Uint8Array;
  /** For everything, redirects and the body of the answer included. */
  timeoutMs: number;
  maxResponseBytes: number;
  /** 0: an answer that redirects is the answer. */
  maxRedirects: number;
  signal?: AbortSignal;
}

export interface IncomingAnswer {
  status: number;
  /** Names in lower case; what came several times is joined by commas. */
  headers: Readonly<Record<string, string>>;
  body: Buffer;
  /** Where it came from, after redirects. */
  url: string;
}

const redirects = new Set([301, 302, 303, 307, 308]);
/** What another origin may know of a request that it was redirected to. */
const keptAcrossOrigins = new Set(['accept', 'content-type', 'user-agent']);
const connectionsPerOrigin = 32;
const largestHeaders = 32_768;

/**
 * The only way out of the service (ARCHITECTURE.md): checks each address that it connects to, also after redirects, has limits for
 * time and size, and takes no proxy from the environment. Answers are taken as they are: nothing is decompressed.
 */
export class HttpClient {
  readonly #agent: Agent;
  readonly #lookup: LookupFunction;

  constructor(options: HttpClientOptions) {
    const { addresses, connectTimeoutMs: timeoutMs = 10_000, resolve = lookup } = options;
    const { allows = (address) => mayConnect(addresses, address) } = options;
    this.#lookup = guardedLookup(allows, resolve);
    this.#agent = new Agent({
      connect: guardedConnector({ allows, timeoutMs, resolve }),
      connections: connectionsPerOrigin,
      maxHeaderSize: largestHeaders,
      // The time of the whole request is limited below.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  /**
   * Whether a URL could be asked just now, without asking it: for telling people so when they save it. A request checks again.
   *
   * Errors: {@link NetError} of the kinds `url`, `address` and `name`.
   */
  async checkUrl(text: string): Promise<void> {
    const url = checkedUrl(text);
    const host = bareHost(url.hostname);
    await new Promise<void>((resolve, reject) => {
      this.#lookup(host, { all: true }, (error) => {
        if (error) reject(netErrorOf(error, host));
        else resolve();
      });
    });
  }

  /** Asks, and reads the whole answer, whatever its status. Errors: {@link NetError}. */
  async request(asked: OutgoingRequest): Promise<IncomingAnswer> {
    const { timeoutMs, signal } = asked;
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(), timeoutMs);
    let url = checkedUrl(asked.url);
    try {
      const ended = signal ? AbortSignal.any([limit.signal, signal]) : limit.signal;
      let hop = { ...asked, headers: lowerCased(asked.headers ?? {}) };
      for (let followed = 0; ; followed++) {
        const answer = await this.#once(url, hop, ended);
        const target = asked.maxRedirects > 0 ? redirectOf(answer, url) : null;
        if (target === null) return answer;
        if (followed === asked.maxRedirects) {
          throw new NetError('redirects', `${url.host} redirects more than ${asked.maxRedirects} times; use the final address.`);
        }
        hop = redirected(hop, answer.status, target.origin === url.origin);
        url = target;
      }
    } catch (error) {
      if (signal?.aborted) throw new NetError('aborted', 'The request was given up.', error);
      if (limit.signal.aborted)
        throw new NetError('timeout', `${url.host} did not answer within ${timeoutMs / 1000} seconds.`, error);
      throw netErrorOf(error, url.host);
    } finally {
      clearTimeout(timer);
    }
  }

  async #once(
    url: URL,
    { method, headers, body, maxResponseBytes }: OutgoingRequest,
    signal: AbortSignal,
  ): Promise<IncomingAnswer> {
    const answer = await send(url, {
      dispatcher: this.#agent,
      method,
      headers: { 'user-agent': 'spanwise', 'accept-encoding': 'identity', ...headers },
      ...(body === undefined ? {} : { body }),
      signal,
    });
    const { statusCode: status } = answer;
    const read = await wholeBody(answer, maxResponseBytes, { host: url.host, announced: method !== 'HEAD' });
    return { status, headers: joined(answer.headers), body: read, url: url.href };
  }

  /** Breaks what is under way and closes every connection. */
  async close(): Promise<void> {
    await this.#agent.destroy();
  }
}

function checkedUrl(text: string): URL {
  const url = URL.parse(text);
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new NetError('url', 'The address is not a URL that starts with http:// or https://; correct it.');
  }
  if (url.username !== '' || url.password !== '') {
    throw new NetError('url', 'The address carries a user name or password; send credentials in a header instead.');
  }
  return url;
}

/** @param announced the length in the headers is that of the body */
async function wholeBody(
  { body, headers }: Dispatcher.ResponseData,
  most: number,
  { host, announced }: { host: string; announced: boolean },
): Promise<Buffer> {
  const tooLarge = () => new NetError('too-large', `${host} sent an answer of more than ${most} bytes.`);
  try {
    if (announced && Number(headers['content-length'] ?? 0) > most) throw tooLarge();
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of body as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > most) throw tooLarge();
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  } catch (error) {
    // What is left of it is not read: the connection goes.
    body.on('error', () => undefined).destroy();
    throw error;
  }
}

/** Where an answer sends the client, null when nowhere. */
function redirectOf({ status, headers }: IncomingAnswer, from: URL): URL | null {
  const location = headers['location'];
  if (!redirects.has(status) || location === undefined) return null;
  const target = URL.parse(location, from.href);
  if (!target) throw new NetError('redirects', `${from.host} redirects to what is not a URL.`);
  return checkedUrl(target.href);
}

/** The request as it goes on, as the Fetch standard has it; another origin learns no header that could be a secret. */
function redirected<T extends OutgoingRequest>(request: T, status: number, sameOrigin: boolean): T {
  const asGet = status === 303 ? request.method !== 'HEAD' : request.method === 'POST' && (status === 301 || status === 302);
  const headers = Object.entries(request.headers ?? {}).filter(
    ([name]) => (sameOrigin || keptAcrossOrigins.has(name)) && !(asGet && name.startsWith('content-')),
  );
  const { body: _, ...withoutBody } = request;
  const changed = asGet ? { ...withoutBody, method: 'GET' as const } : request;
  return { ...changed, headers: Object.fromEntries(headers) } as T;
}

function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

function joined(headers: Dispatcher.ResponseData['headers']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')]),
  );
}
