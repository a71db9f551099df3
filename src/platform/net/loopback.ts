import { isIPv4 } from 'node:net';

/** Whether a host name or address, without brackets, is this machine's loopback: `localhost`, `::1` or one of 127.0.0.0/8. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'));
}
