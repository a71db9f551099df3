import { setTimeout as wait } from 'node:timers/promises';
import { ServiceError } from '../../contract/errors.ts';
import type { AddressPolicy } from './address-policy.ts';
import { HttpClient } from './http-client.ts';
import { NetError } from './net-error.ts';

/** Maximum time to resolve a name, in milliseconds. */
const maxWaitMs = 2_000;

/**
 * Refuses a URL with an address that requests may not reach (docs/semantics.md, "Outgoing addresses").
 *
 * @param path of the URL in the request's body, for the error
 * Errors: `invalid_request`.
 */
export async function checkAddress(http: Pick<HttpClient, 'checkUrl'>, url: string, path: string): Promise<void> {
  const fault = await addressFault(http, url);
  if (!fault) return;
  throw new ServiceError('invalid_request', fault.message, {
    details: [{ path, message: 'has an address that requests may not reach' }],
    cause: fault,
  });
}

/**
 * Why requests may not reach the address of a URL; null when they may. Also null for a name that cannot be resolved now: every request checks the
 * address that it connects to.
 */
async function addressFault(http: Pick<HttpClient, 'checkUrl'>, url: string): Promise<NetError | null> {
  const ended = new AbortController();
  try {
    await Promise.race([http.checkUrl(url), wait(maxWaitMs, undefined, { signal: ended.signal, ref: false })]);
    return null;
  } catch (error) {
    return error instanceof NetError && error.kind === 'address' ? error : null;
  } finally {
    ended.abort();
  }
}

/**
 * Whether a URL leads to the public internet alone (`public`) or not (`private`). `unknown`: its name cannot be resolved now.
 *
 * @param publicOnly a client that reaches public addresses alone
 */
export async function reachOf(publicOnly: Pick<HttpClient, 'checkUrl'>, url: string): Promise<'private' | 'unknown' | 'public'> {
  const ended = new AbortController();
  const late = wait(maxWaitMs, 'unknown' as const, { signal: ended.signal, ref: false });
  const found = publicOnly.checkUrl(url).then(
    () => 'public' as const,
    (error: unknown) => (error instanceof NetError && error.kind === 'address' ? ('private' as const) : ('unknown' as const)),
  );
  try {
    return await Promise.race([found, late]);
  } finally {
    ended.abort();
  }
}

/**
 * Stored URLs that requests may no longer reach, one sentence each. For the operator.
 *
 * @param addresses where requests may go
 */
export async function refusedUrls(
  addresses: AddressPolicy,
  stored: ReadonlyArray<{ name: string; url: string }>,
): Promise<string[]> {
  const http = new HttpClient({ addresses });
  try {
    const sentences: string[] = [];
    for (const { name, url } of stored) {
      const fault = await addressFault(http, url);
      if (fault) sentences.push(`${name}: ${fault.message}`);
    }
    return sentences;
  } finally {
    await http.close();
  }
}
