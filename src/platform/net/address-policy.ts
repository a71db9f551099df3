import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * Which addresses a client may connect to. `public-only`: those of the public internet, for addresses that anybody may have named.
 * `any`: all of them, where the operator's people point at servers of their own.
 */
export type AddressPolicy = 'public-only' | 'any';

/** IANA keeps the whole block for protocols. */
const protocolAssignments = ipaddr.IPv6.parse('2001::');
/** The only block of IPv6 that the public internet uses. */
const globalUnicast = ipaddr.IPv6.parse('2000::');

/**
 * Whether an address, as a resolver or a socket writes it, is one of the public internet. Private, loopback, link-local, carrier-grade
 * NAT, multicast, reserved, documentation and unspecified addresses are not, nor is what no address can be read from. An IPv4 address
 * mapped into IPv6 is judged as the IPv4 address that the system connects to; NAT64, 6to4 and Teredo, which carry an IPv4 address to
 * wherever a gateway takes it, are not public.
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
