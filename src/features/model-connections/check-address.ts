import { setTimeout as wait } from 'node:timers/promises';
import { ServiceError } from '../../contract/errors.ts';
import { NetError } from '../../platform/net/index.ts';
import type { HttpClient } from '../../platform/net/index.ts';

/** Maximum time to resolve a name, in milliseconds. */
const maxWaitMs = 2_000;

/**
 * Refuses a URL with an address that requests may not reach (docs/semantics.md, "Outgoing addresses").
 *
 * Errors: `invalid_request`.
 */
export async function checkAddress(http: Pick<HttpClient, 'checkUrl'>, baseUrl: string): Promise<void> {
  const fault = await addressFault(http, baseUrl);
  if (!fault) return;
  throw new ServiceError('invalid_request', fault.message, {
    details: [{ path: '/baseUrl', message: 'has an address that requests may not reach' }],
    cause: fault,
  });
}

/**
 * Why requests may not reach the address of a URL; null when they may. Also null for a name that cannot be resolved now: every request checks the
 * address that it connects to.
 */
export async function addressFault(http: Pick<HttpClient, 'checkUrl'>, baseUrl: string): Promise<NetError | null> {
  const ended = new AbortController();
  try {
    await Promise.race([http.checkUrl(baseUrl), wait(maxWaitMs, undefined, { signal: ended.signal, ref: false })]);
    return null;
  } catch (error) {
    return error instanceof NetError && error.kind === 'address' ? error : null;
  } finally {
    ended.abort();
  }
}
