import { lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { Agent, request as send } from 'undici';
import type { Dispatcher } from 'undici';
import { advice, mayConnect } from './address-policy.ts';
import type { AddressPolicy } from './address-policy.ts';
import { bareHost, guardedConnector, guardedLookup } from './guarded-connector.ts';
import type { Resolve } from './guarded-connector.ts';
import { NetError, netErrorOf } from './net-error.ts';

export interface HttpClientOptions {
  addresses: AddressPolicy;
  /** Time limit to resolve and connect; default 10 s. */
  connectTimeoutMs?: number;
  /** The resolver; for tests. */
  resolve?: Resolve;
  /** Replaces the address policy; for tests, which have no public server. */
  allows?: (address: string) => boolean;
}

export interface OutgoingRequest {
  /** http or https, without credentials. */
  url: string;
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  headers?: Readonly<Record<string, string>>;
  body?: string | Uint8Array;
  /** For the whole request, redirects and response body included. */
  timeoutMs: number;
  maxResponseBytes: number;
  /** 0: redirects are returned, not followed. */
  maxRedirects: number;
  signal?: AbortSignal;
}

export interface IncomingAnswer {
  status: number;
  /** Names in lower case; repeated headers are joined by commas. */
  headers: Readonly<Record<string, string>>;
  body: Buffer;
  /** The final URL after redirects. */
  url: string;
}

const redirects = new Set([301, 302, 303, 307, 308]);
/** Headers that are kept when a redirect leads to another origin. */
const keptAcrossOrigins = new Set(['accept', 'content-type', 'user-agent']);
const connectionsPerOrigin = 32;
const maxHeadersSize = 32_768;

/**
 * Sends all outgoing HTTP requests of the service (ARCHITECTURE.md, "Invariants"). Checks every address that it connects to, also after
 * redirects; limits time and size; ignores proxy variables of the environment; does not decompress responses.
 */
export class HttpClient {
  readonly #agent: Agent;
  readonly #lookup: LookupFunction;

  constructor(options: HttpClientOptions) {
    const { addresses, connectTimeoutMs: timeoutMs = 10_000, resolve = lookup } = options;
    const { allows = (address) => mayConnect(addresses, address) } = options;
    this.#lookup = guardedLookup(allows, resolve, advice(addresses));
    this.#agent = new Agent({
      connect: guardedConnector({ allows, timeoutMs, resolve, advice: advice(addresses) }),
      connections: connectionsPerOrigin,
      maxHeaderSize: maxHeadersSize,
      // `request` limits the total time.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  /**
   * Checks that a URL can be requested at present, without requesting it; for validating settings. Each request checks again.
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

  /** Sends a request and reads the whole response, of any status. Errors: {@link NetError}. */
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
      if (signal?.aborted) throw new NetError('aborted', 'The request was aborted.', error);
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

  /** Closes every connection; requests in progress fail. */
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

/** @param announced whether `content-length` is the length of the body; it is not for HEAD */
async function wholeBody(
  { body, headers }: Dispatcher.ResponseData,
  maxBytes: number,
  { host, announced }: { host: string; announced: boolean },
): Promise<Buffer> {
  const tooLarge = () => new NetError('too-large', `${host} sent an answer of more than ${maxBytes} bytes.`);
  try {
    if (announced && Number(headers['content-length'] ?? 0) > maxBytes) throw tooLarge();
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of body as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > maxBytes) throw tooLarge();
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  } catch (error) {
    // Closes the connection instead of reading the rest.
    body.on('error', () => undefined).destroy();
    throw error;
  }
}

/** The target of a redirect, null for other responses. */
function redirectOf({ status, headers }: IncomingAnswer, from: URL): URL | null {
  const location = headers['location'];
  if (!redirects.has(status) || location === undefined) return null;
  const target = URL.parse(location, from.href);
  if (!target) throw new NetError('redirects', `${from.host} redirects to what is not a URL.`);
  return checkedUrl(target.href);
}

/** The request after a redirect, as the Fetch standard defines it, without headers that may be secret for another origin. */
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
