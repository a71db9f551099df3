import type { LookupAddress } from 'node:dns';
import { isIP } from 'node:net';
import type { LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import { NetError } from './net-error.ts';

/** Resolves a host, with the signature of `node:dns` `lookup`. */
export type Resolve = (
  host: string,
  options: { all: true; family?: number; hints?: number },
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** Makes connections to the addresses of a lookup. */
export type MakeConnector = (options: { timeout: number; lookup: LookupFunction }) => buildConnector.connector;

export interface GuardedConnectorOptions {
  /** Whether an address may be connected to. */
  allows(address: string): boolean;
  timeoutMs: number;
  resolve: Resolve;
  /** What to do about a refused address, for the error. */
  advice: string;
  makeConnector?: MakeConnector | undefined;
}

const realConnector: MakeConnector = (options) => buildConnector({ ...options, allowH2: false } as buildConnector.BuildOptions);

/**
 * Connects to allowed addresses only. The check and the connection use the same resolver answer, so that DNS rebinding has no effect. A
 * host is refused if one of its addresses is not allowed. The address of the connected socket is checked again.
 */
export function guardedConnector({
  allows,
  timeoutMs,
  resolve,
  advice,
  makeConnector = realConnector,
}: GuardedConnectorOptions): buildConnector.connector {
  const lookup = guardedLookup(allows, resolve, advice);
  const connect = makeConnector({ timeout: timeoutMs, lookup });
  return (options, done) => {
    const host = bareHost(options.hostname);
    // Literal addresses are not resolved.
    if (isIP(host) !== 0 && !allows(host)) {
      done(refused(host, advice), null);
      return;
    }
    connect(options, (...[error, socket]) => {
      if (error || !socket) {
        done(error ?? new Error('no socket'), null);
        return;
      }
      if (allows(socket.remoteAddress ?? '')) {
        done(null, socket);
        return;
      }
      socket.destroy();
      done(refused(host, advice), null);
    });
  };
}

/** A lookup that fails for a host with an address that is not allowed. */
export function guardedLookup(allows: (address: string) => boolean, find: Resolve, advice: string): LookupFunction {
  return (host, options, done) => {
    const literal = isIP(host);
    const { family, hints } = options;
    const asked = {
      all: true as const,
      ...(typeof family === 'number' ? { family } : {}),
      ...(hints === undefined ? {} : { hints }),
    };
    const answered: Parameters<Resolve>[2] = (error, found) => {
      const first = found?.[0];
      if (error || !first) {
        done(error ?? Object.assign(new Error('no address'), { code: 'ENOTFOUND' }), '');
        return;
      }
      if (!found.every(({ address }) => allows(address))) {
        done(refused(host, advice), '');
        return;
      }
      if (options.all) done(null, found);
      else done(null, first.address, first.family);
    };
    // Loopback by RFC 6761, also where a resolver does not know the name.
    const isLoopback = /(?:^|\.)localhost\.?$/i.test(host);
    if (isLoopback && !allows('127.0.0.1') && !allows('::1')) done(refused(host, advice), '');
    else if (literal === 0) find(host, asked, answered);
    else answered(null, [{ address: host, family: literal }]);
  };
}

/** Removes the brackets of an IPv6 address. */
export function bareHost(hostname: string): string {
  return hostname.startsWith('[') && hostname.endsWith(']') ? hostname.slice(1, -1) : hostname;
}

function refused(host: string, advice: string): NetError {
  return new NetError('address', `${host} is not an address of the public internet; ${advice}.`);
}
