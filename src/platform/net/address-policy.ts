import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * Which addresses a client may connect to. `public-only`: those of the public internet, for URLs from untrusted sources. `any`: all
 * addresses, for URLs of the operator's own servers.
 */
export type AddressPolicy = 'public-only' | 'any';

/** Reserved by IANA for protocol assignments. */
const protocolAssignments = ipaddr.IPv6.parse('2001::');
/** The global unicast block, the only one in use on the public internet. */
const globalUnicast = ipaddr.IPv6.parse('2000::');

/**
 * Whether an address, in the notation of a resolver or a socket, is one of the public internet. Private, loopback, link-local, carrier-grade
 * NAT, multicast, reserved, documentation and unspecified addresses are not, nor is malformed text. An IPv4-mapped IPv6 address is
 * treated as its IPv4 address. NAT64, 6to4 and Teredo addresses, which a gateway translates, are not public.
 */
export function isPublicAddress(text: string): boolean {
  if (isIP(text) === 0) return false;
  const address = ipaddr.parse(text);
  if (address instanceof ipaddr.IPv4) return address.range() === 'unicast';
  const v6 = address as ipaddr.IPv6;
  if (v6.isIPv4MappedAddress()) return v6.toIPv4Address().range() === 'unicast';
  return v6.match(globalUnicast, 3) && !v6.match(protocolAssignments, 23) && v6.range() === 'unicast';
}

/** Whether a client under the policy may connect to an address. */
export function mayConnect(policy: AddressPolicy, address: string): boolean {
  return policy === 'any' || isPublicAddress(address);
}
