import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Parts of an IPv6 address that name a network: 4 of 16 bits. */
const networkParts = 4;

/** A client's address without a port, as some proxies add one, and an IPv4-mapped one as IPv4. Other texts stay, cut to 64 characters. */
export function plainAddress(given: string): string {
  const [, bracketed, withPort] = /^\[([^\]]+)\](?::\d+)?$|^([\d.]+):\d+$/.exec(given) ?? [];
  const text = bracketed ?? withPort ?? given;
  return isIP(text) === 0 ? text.slice(0, 64) : ipaddr.process(text).toString();
}

/** What limits by address count: an IPv4 address, or the network of 64 bits of an IPv6 one, of which a client has every address. */
export function limitedAddress(given: string): string {
  const plain = plainAddress(given);
  // What is no address, as a client can write behind a proxy that does not append, is one client.
  if (isIP(plain) === 0) return 'unknown';
  if (isIP(plain) === 4) return plain;
  const { parts } = ipaddr.parse(plain) as ipaddr.IPv6;
  return `${new ipaddr.IPv6([...parts.slice(0, networkParts), 0, 0, 0, 0]).toString()}/64`;
}
