import { AsyncLocalStorage } from 'node:async_hooks';
import type { ServerResponse } from 'node:http';

/** The request that the code at hand works for. The signal is made when it is first asked for: most requests need none. */
class RequestScope {
  readonly #response: ServerResponse;
  #signal: AbortSignal | null = null;

  constructor(response: ServerResponse) {
    this.#response = response;
  }

  get signal(): AbortSignal {
    return (this.#signal ??= goneSignal(this.#response));
  }
}

const scopes = new AsyncLocalStorage<RequestScope | undefined>();

/** Runs `work` for a request: {@link requestSignal} is its signal there, and in all that `work` awaits or starts. */
export function inRequest(response: ServerResponse, work: () => void): void {
  scopes.run(new RequestScope(response), work);
}

/** Runs `work`, such as a task of a queue that a request woke, so that it does not end with the request. */
export function outsideRequests<T>(work: () => T): T {
  return scopes.getStore() ? scopes.run(undefined, work) : work();
}

/** Aborts when the client of the request at hand has gone before it had its answer; undefined outside of requests. */
export function requestSignal(): AbortSignal | undefined {
  return scopes.getStore()?.signal;
}

/** Aborts when the client has gone before it had its answer. */
export function goneSignal(response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  const closed = () => {
    if (!response.writableFinished) gone.abort();
  };
  // A connection that was closed before, such as during authentication, emits nothing more.
  if (response.destroyed) closed();
  else response.once('close', closed);
  return gone.signal;
}
