import { lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { Agent } from 'undici';
import { bytesOf } from '../budgets/index.ts';
import type { ByteBudget } from '../budgets/index.ts';
import { advice, mayConnect } from './address-policy.ts';
import type { AddressPolicy } from './address-policy.ts';
import { Exchange } from './exchange.ts';
import type { ExchangeAnswer } from './exchange.ts';
import { bareHost, guardedConnector, guardedLookup } from './guarded-connector.ts';
import type { MakeConnector, Resolve } from './guarded-connector.ts';
import { NetError, netErrorOf } from './net-error.ts';

export interface HttpClientOptions {
  addresses: AddressPolicy;
  /** Time limit to resolve and connect; default 10 s. */
  connectTimeoutMs?: number;
  /** The resolver; for tests. */
  resolve?: Resolve;
  /** Replaces the address policy; for tests, which have no public server. */
  allows?: (address: string) => boolean;
  /** Makes the connections, whose addresses are checked all the same; for tests, which have no public server. */
  makeConnector?: MakeConnector;
  /** Default 32. */
  connectionsPerOrigin?: number;
  /** The memory of answers that are being received; default: that of the process. */
  answers?: ByteBudget;
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
  /** Whose answers count together against a share of the memory for all; a project. */
  budgetKey?: string;
  /**
   * The response's status is what counts: a body that is longer, breaks off or does not end in time is cut where it was, instead of failing the
   * request.
   */
  cutsBody?: boolean;
  /** 0: redirects are returned, not followed. */
  maxRedirects: number;
  /** Headers, in lower case, that are sent when a redirect leads to another origin; default: accept, content-type and user-agent. */
  keptAcrossOrigins?: ReadonlySet<string>;
  /** Whether a redirect may take the body to another origin; default true. Otherwise such a redirect fails the request. */
  bodyAcrossOrigins?: boolean;
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
const harmlessHeaders: ReadonlySet<string> = new Set(['accept', 'content-type', 'user-agent']);
const defaultConnections = 32;
/** Of all clients of the process. */
const answersOfProcess = bytesOf('answers');
const maxHeadersSize = 32_768;

/**
 * Sends all outgoing HTTP requests of the service (ARCHITECTURE.md, "Invariants"). Checks every address that it connects to, also after
 * redirects; limits time and size; ignores proxy variables of the environment; does not decompress responses.
 */
export class HttpClient {
  readonly #addresses: AddressPolicy;
  readonly #newAgent: () => Agent;
  #agent: Agent;
  /** Of addresses that were allowed before; they end with their requests. */
  readonly #retired: Agent[] = [];
  #allowed: readonly string[] | null;
  readonly #lookup: LookupFunction;
  readonly #answers: ByteBudget;

  constructor(options: HttpClientOptions) {
    const { addresses, connectTimeoutMs: timeoutMs = 10_000, resolve = lookup } = options;
    const {
      allows = (address) => mayConnect(addresses, address),
      makeConnector,
      connectionsPerOrigin = defaultConnections,
      answers = answersOfProcess,
    } = options;
    this.#answers = answers;
    this.#lookup = guardedLookup(allows, resolve, advice(addresses));
    this.#addresses = addresses;
    this.#allowed = addresses === 'public-only' ? null : addresses.allowed;
    this.#newAgent = () =>
      new Agent({
        connect: guardedConnector({ allows, timeoutMs, resolve, advice: advice(addresses), makeConnector }),
        connections: connectionsPerOrigin,
        maxHeaderSize: maxHeadersSize,
        // `request` limits the total time.
        headersTimeout: 0,
        bodyTimeout: 0,
      });
    this.#agent = this.#newAgent();
  }

  /** Reads the policy anew. Connections to addresses that were allowed before are not used again. */
  async #refresh(): Promise<void> {
    if (this.#addresses === 'public-only') return;
    await this.#addresses.refresh?.();
    if (this.#allowed === this.#addresses.allowed) return;
    this.#allowed = this.#addresses.allowed;
    const before = this.#agent;
    this.#agent = this.#newAgent();
    this.#retired.push(before);
    void before.close();
  }

  /**
   * Checks that a URL can be requested at present, without requesting it; for validating settings. Each request checks again.
   *
   * Errors: {@link NetError} of the kinds `url`, `address` and `name`.
   */
  async checkUrl(text: string): Promise<void> {
    const url = checkedUrl(text);
    const host = bareHost(url.hostname);
    await this.#refresh();
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
    let url = checkedUrl(asked.url);
    const ending = new Ending(() => new NetError('timeout', `${url.host} did not answer within ${timeoutMs / 1000} seconds.`));
    const timer = setTimeout(() => ending.timeOut(), timeoutMs);
    const abort = () => ending.abort();
    if (signal?.aborted) abort();
    signal?.addEventListener('abort', abort);
    try {
      await this.#refresh();
      let hop = { ...asked, headers: lowerCased(asked.headers ?? {}) };
      for (let followed = 0; ; followed++) {
        const answer = await this.#once(url, hop, ending);
        const target = asked.maxRedirects > 0 ? redirectOf(answer, url) : null;
        if (target === null) return answer;
        if (followed === asked.maxRedirects) {
          throw new NetError('redirects', `${url.host} redirects more than ${asked.maxRedirects} times; use the final address.`);
        }
        hop = redirected(hop, answer.status, target.origin === url.origin);
        if (asked.bodyAcrossOrigins === false && target.origin !== url.origin && hop.body !== undefined) {
          throw new NetError(
            'redirects',
            `${url.host} redirects to another origin, which does not get this body; use the final address.`,
          );
        }
        url = target;
      }
    } catch (error) {
      throw netErrorOf(error, url.host);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    }
  }

  async #once(
    url: URL,
    { method, headers, body, maxResponseBytes, budgetKey, cutsBody = false }: OutgoingRequest,
    ending: Ending,
  ): Promise<IncomingAnswer> {
    ending.check();
    const exchange = new Exchange(this.#agent, {
      host: url.host,
      origin: url.origin,
      path: `${url.pathname}${url.search}`,
      method,
      headers: { 'user-agent': 'spanwise', 'accept-encoding': 'identity', ...headers },
      body: body ?? null,
      maxResponseBytes,
      cutsBody,
      memory: this.#answers.share(budgetKey),
    });
    const { status, headers: received, body: read } = await ending.during(exchange);
    return { status, headers: received, body: read, url: url.href };
  }

  /** Closes every connection; requests in progress fail. */
  async close(): Promise<void> {
    await Promise.all([this.#agent, ...this.#retired].map((agent) => agent.destroy()));
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
  const { keptAcrossOrigins: kept = harmlessHeaders } = request;
  const headers = Object.entries(request.headers ?? {}).filter(
    ([name]) => (sameOrigin || kept.has(name)) && !(asGet && name.startsWith('content-')),
  );
  const { body: _, ...withoutBody } = request;
  const changed = asGet ? { ...withoutBody, method: 'GET' as const } : request;
  return { ...changed, headers: Object.fromEntries(headers) } as T;
}

function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

/** Why a request ends early: its time is over, or its caller aborted it. */
class Ending {
  readonly #timeout: () => NetError;
  #reason: NetError | null = null;
  #exchange: Exchange | null = null;

  constructor(timeout: () => NetError) {
    this.#timeout = timeout;
  }

  timeOut(): void {
    this.#end(this.#timeout());
  }

  abort(): void {
    this.#end(new NetError('aborted', 'The request was aborted.'));
  }

  /** Throws the reason once there is one. */
  check(): void {
    if (this.#reason) throw this.#reason;
  }

  /** The answer of an exchange, which is aborted where the request ends early. */
  during(exchange: Exchange): Promise<ExchangeAnswer> {
    this.#exchange = exchange;
    return exchange.answer;
  }

  #end(reason: NetError): void {
    this.#reason ??= reason;
    this.#exchange?.abort(reason);
  }
}
