import type { LookupAddress } from 'node:dns';
import { isIP } from 'node:net';
import type { LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import { NetError } from './net-error.ts';

/** Finds the addresses of a host, as `node:dns` does. */
export type Resolve = (
  host: string,
  options: { all: true; family?: number; hints?: number },
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

export interface GuardedConnectorOptions {
  /** Whether an address may be connected to. */
  allows(address: string): boolean;
  timeoutMs: number;
  resolve: Resolve;
}

/**
 * Connects to addresses that are allowed, and to no others. What the resolver answers is what is connected to: the check and
 * the connection cannot see different answers. One refused address among several refuses the host. The address of the socket is looked at
 * once more.
 */
export function guardedConnector({ allows, timeoutMs, resolve }: GuardedConnectorOptions): buildConnector.connector {
  const lookup = guardedLookup(allows, resolve);
  const connect = buildConnector({ timeout: timeoutMs, allowH2: false, lookup } as buildConnector.BuildOptions);
  return (options, done) => {
    const host = bareHost(options.hostname);
    // A literal address is never looked up.
    if (isIP(host) !== 0 && !allows(host)) {
      done(refused(host), null);
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
      done(refused(host), null);
    });
  };
}

/** A lookup that refuses a host with an address that is not allowed. */
export function guardedLookup(allows: (address: string) => boolean, find: Resolve): LookupFunction {
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
        done(refused(host), '');
        return;
      }
      if (options.all) done(null, found);
      else done(null, first.address, first.family);
    };
    if (literal === 0) find(host, asked, answered);
    else answered(null, [{ address: host, family: literal }]);
  };
}

/** Without the brackets of an IPv6 address in a URL. */
export function bareHost(hostname: string): string {
  return hostname.startsWith('[') && hostname.endsWith(']') ? hostname.slice(1, -1) : hostname;
}

function refused(host: string): NetError {
  return new NetError('address', `${host} is not an address of the public internet; use one that is.`);
}
