import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * Which addresses a client may connect to. `public-only`: those of the public internet, for URLs from untrusted sources. `allowed`: also
 * addresses in these CIDR blocks, which the operator allows for URLs of the service's users (docs/semantics.md, "Outgoing addresses").
 */
export type AddressPolicy = 'public-only' | AllowedAddresses;

export interface AllowedAddresses {
  /** CIDR blocks beside public addresses. Another array object means other blocks. */
  readonly allowed: readonly string[];
  /** Reads `allowed` anew, before each request and check of a URL. */
  refresh?(): Promise<void>;
}

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Reserved by IANA for protocol assignments. */
const protocolAssignments = ipaddr.IPv6.parse('2001::');
/** The global unicast block, the only one in use on the public internet. */
const globalUnicast = ipaddr.IPv6.parse('2000::');
/** Addresses at which clouds serve credentials or control machines, and that are not link-local: AWS in IPv6, Azure. */
const metadataAddress = ipaddr.IPv6.parse('fd00:ec2::254');
const azureAddress = ipaddr.IPv4.parse('168.63.129.16');

/**
 * Whether an address, in the notation of a resolver or a socket, is one of the public internet. Private, loopback, link-local, carrier-grade
 * NAT, multicast, reserved, documentation and unspecified addresses are not, nor is Azure's 168.63.129.16, nor malformed text. An IPv4-mapped IPv6 address is
 * treated as its IPv4 address. NAT64, 6to4 and Teredo addresses, which a gateway translates, are not public.
 */
export function isPublicAddress(text: string): boolean {
  const address = addressOf(text);
  return address !== null && isPublic(address);
}

/** Whether a client under the policy may connect to an address. Link-local addresses, where clouds serve credentials, and others of clouds are never allowed. */
export function mayConnect(policy: AddressPolicy, text: string): boolean {
  const address = addressOf(text);
  if (address === null) return false;
  if (isPublic(address)) return true;
  if (policy === 'public-only' || isMetadata(address)) return false;
  return policy.allowed.some((block) => contains(block, address));
}

/** Whether a text is a CIDR block such as `10.0.0.0/8`, or one address. */
export function isCidr(text: string): boolean {
  return isIP(text) !== 0 || ipaddr.isValidCIDR(text);
}

/** What to do about an address that the policy refuses. */
export function advice(policy: AddressPolicy): string {
  return policy === 'public-only'
    ? 'use one that is'
    : 'use one that is, or let the operator of the service add it to SPANWISE_OUTGOING_ALLOW (link-local addresses are never allowed)';
}

/** IPv4-mapped addresses are returned as IPv4. */
function addressOf(text: string): Address | null {
  if (isIP(text) === 0) return null;
  const address = ipaddr.parse(text);
  return address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() ? address.toIPv4Address() : address;
}

function isPublic(address: Address): boolean {
  if (address instanceof ipaddr.IPv4) return address.range() === 'unicast' && !address.match(azureAddress, 32);
  const v6 = address as ipaddr.IPv6;
  return v6.match(globalUnicast, 3) && !v6.match(protocolAssignments, 23) && v6.range() === 'unicast';
}

function isMetadata(address: Address): boolean {
  if (address.range() === 'linkLocal') return true;
  return address instanceof ipaddr.IPv4 ? address.match(azureAddress, 32) : (address as ipaddr.IPv6).match(metadataAddress, 128);
}

function contains(block: string, address: Address): boolean {
  const [first, bits] = isIP(block) === 0 ? ipaddr.parseCIDR(block) : [ipaddr.parse(block), isIP(block) === 4 ? 32 : 128];
  return first.kind() === address.kind() && address.match(first as ipaddr.IPv4 & ipaddr.IPv6, bits);
}
