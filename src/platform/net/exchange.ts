import type { Dispatcher } from 'undici';
import type { ByteShare } from '../budgets/index.ts';
import { GatheredBytes } from '../memory/gathered-bytes.ts';
import { NetError } from './net-error.ts';

/** Memory that a piece of a body takes beside its bytes. */
const pieceBytes = 400;

/** A request to one server, without redirects. */
export interface ExchangeRequest {
  /** The server, for errors. */
  host: string;
  origin: string;
  path: string;
  method: Dispatcher.HttpMethod;
  headers: Record<string, string>;
  body: string | Uint8Array | null;
  maxResponseBytes: number;
  /** A body that is too long, breaks off or is interrupted is cut where it was. */
  cutsBody: boolean;
  /** The memory of the answer; given back when the exchange has ended. */
  memory: ByteShare;
}

/** A whole response. */
export interface ExchangeAnswer {
  status: number;
  /** Names in lower case; repeated headers are joined by commas. */
  headers: Record<string, string>;
  body: Buffer;
}

/** Sends one request and collects its response, without the stream that undici's `request` makes of each body. */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly answer: Promise<ExchangeAnswer>;
  readonly #request: ExchangeRequest;
  readonly #resolve: (answer: ExchangeAnswer) => void;
  readonly #reject: (error: unknown) => void;
  #controller: Dispatcher.DispatchController | null = null;
  #failure: Error | null = null;
  #head: Omit<ExchangeAnswer, 'body'> | null = null;
  readonly #gathered = new GatheredBytes();

  constructor(dispatcher: Dispatcher, request: ExchangeRequest) {
    this.#request = request;
    const { promise, resolve, reject } = Promise.withResolvers<ExchangeAnswer>();
    this.answer = promise;
    this.#resolve = resolve;
    this.#reject = reject;
    const { origin, path, method, headers, body } = request;
    dispatcher.dispatch({ origin, path, method, headers, body }, this);
  }

  /** Ends the exchange and closes its connection; `answer` rejects with the error unless it has settled. */
  abort(error: Error): void {
    this.#fail(error);
    this.#controller?.abort(error);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    // It ended while it waited for a connection.
    if (this.#failure !== null) controller.abort(this.#failure);
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: Readonly<Record<string, unknown>>): void {
    if (status < 200) return;
    this.#head = { status, headers: joined(headers) };
    const { method, maxResponseBytes, cutsBody } = this.#request;
    // The `content-length` of a HEAD is not that of its body.
    const announced = method === 'HEAD' || cutsBody ? 0 : Number(this.#head.headers['content-length'] ?? 0);
    if (announced > maxResponseBytes) this.#tooLarge();
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#failure !== null) return;
    const { host, maxResponseBytes, memory } = this.#request;
    try {
      memory.take(chunk.length + pieceBytes);
    } catch (cause) {
      this.abort(new NetError('busy', `The answer of ${host} found no room among those that are being received.`, cause));
      return;
    }
    this.#gathered.add(chunk);
    if (this.#gathered.length > maxResponseBytes) this.#tooLarge();
  }

  onResponseEnd(): void {
    if (this.#head) this.#resolve({ ...this.#head, body: this.#gathered.take() });
    this.#request.memory.release();
  }

  onResponseError(_controller: unknown, error: Error): void {
    this.#fail(error);
  }

  #tooLarge(): void {
    const { host, maxResponseBytes } = this.#request;
    this.abort(new NetError('too-large', `${host} sent an answer of more than ${maxResponseBytes} bytes.`));
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    if (this.#head && this.#request.cutsBody)
      this.#resolve({ ...this.#head, body: this.#gathered.take().subarray(0, this.#request.maxResponseBytes) });
    else this.#reject(error);
    this.#gathered.clear();
    this.#request.memory.release();
  }
}

function joined(headers: Readonly<Record<string, unknown>>): Record<string, string> {
  const names: Record<string, string> = {};
  for (const name of Object.keys(headers)) {
    const value = headers[name];
    names[name] = Array.isArray(value) ? value.join(', ') : String(value ?? '');
  }
  return names;
}
