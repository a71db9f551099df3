import { isCidr } from './address-policy.ts';

/** The proxies whose `X-Forwarded-For` is believed: none, the nearest so many, or those of some addresses (CIDR blocks). */
export type TrustedProxies = false | number | readonly string[];

const maxProxies = 10;

/**
 * Reads a setting: `false`, `true` (one proxy), a number of proxies from 0 to 10, or CIDR blocks with commas. Null for another text.
 *
 * The client's address is counted from the right over all lines of `X-Forwarded-For`, since every proxy adds the address that it saw at the end: what
 * stands further left was sent by the client.
 */
export function trustedProxies(text: string): TrustedProxies | null {
  if (text === 'false') return false;
  if (text === 'true') return 1;
  if (/^\d{1,2}$/.test(text)) return Number(text) > maxProxies ? null : Number(text) || false;
  const blocks = text.split(',').map((block) => block.trim());
  return blocks.every((block) => isCidr(block)) ? blocks : null;
}
