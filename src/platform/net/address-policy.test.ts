import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isPublicAddress, mayConnect } from './address-policy.ts';

/** IANA's registries of special-purpose addresses, IPv4 and what lies within 2000::/3, as [first address, prefix length]. */
const special4: ReadonlyArray<[string, number]> = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  // Azure's own, which no registry reserves.
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];
const special6: ReadonlyArray<[bigint, number]> = [
  [0x2001n << 112n, 23],
  [0x2001_0db8n << 96n, 32],
  [0x2002n << 112n, 16],
  [0x2620_004f_8000n << 80n, 48],
  [0x3fffn << 112n, 20],
];

const number4 = (text: string) => text.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
const text4 = (value: number) => [24, 16, 8, 0].map((shift) => Math.floor(value / 2 ** shift) % 256).join('.');
const within = (value: bigint, first: bigint, prefix: number, bits: number) =>
  value >> BigInt(bits - prefix) === first >> BigInt(bits - prefix);
const public4 = (value: number) => !special4.some(([first, prefix]) => within(BigInt(value), BigInt(number4(first)), prefix, 32));
const public6 = (value: bigint) =>
  value >> 32n === 0xffffn
    ? public4(Number(value & 0xffff_ffffn))
    : value >> 125n === 1n && !special6.some(([first, prefix]) => within(value, first, prefix, 128));

function text6(value: bigint): string {
  return [112n, 96n, 80n, 64n, 48n, 32n, 16n, 0n].map((shift) => ((value >> shift) & 0xffffn).toString(16)).join(':');
}
/** In the shortest notation. */
const short6 = (value: bigint) => new URL(`http://[${text6(value)}]`).hostname.slice(1, -1);

const clamp = (value: bigint, bits: bigint) => (value < 0n ? 0n : value >= 1n << bits ? (1n << bits) - 1n : value);
const near = fc.integer({ min: -2, max: 2 }).map(BigInt);
/** Any address, and those at both edges of every special block. */
const any4 = fc.oneof(
  fc.nat(0xffff_ffff),
  fc.tuple(fc.constantFrom(...special4), fc.boolean(), near).map(([[first, prefix], last, by]) => {
    const edge = BigInt(number4(first)) + (last ? (1n << BigInt(32 - prefix)) - 1n : 0n);
    return Number(clamp(edge + by, 32n));
  }),
);
const hextets = fc.array(fc.nat(0xffff), { minLength: 8, maxLength: 8 });
const blocks6: ReadonlyArray<[bigint, number]> = [
  ...special6,
  [1n << 125n, 3],
  [0n, 96],
  [0xffffn << 32n, 96],
  [0x64n << 112n, 96],
  [0xfc00n << 112n, 7],
  [0xfe80n << 112n, 10],
  [0xff00n << 112n, 8],
];
const any6 = fc.oneof(
  hextets.map((parts) => parts.reduce((sum, part) => (sum << 16n) | BigInt(part), 0n)),
  fc
    .tuple(fc.constantFrom(...blocks6), fc.boolean(), near)
    .map(([[first, prefix], last, by]) => clamp(first + (last ? (1n << BigInt(128 - prefix)) - 1n : 0n) + by, 128n)),
  any4.map((value) => (0xffffn << 32n) | BigInt(value)),
);

describe('addresses that the operator allows', () => {
  it.each([
    ['127.0.0.1', ['127.0.0.0/8'], true],
    ['::ffff:127.0.0.1', ['127.0.0.0/8'], true],
    ['::1', ['127.0.0.0/8'], false],
    ['::1', ['127.0.0.0/8', '::1'], true],
    ['10.1.2.3', ['10.1.2.3'], true],
    ['10.1.2.4', ['10.1.2.3'], false],
    ['fd12::1', ['fd00::/8'], true],
    ['8.8.8.8', [], true],
    ['192.168.1.1', [], false],
    ['169.254.169.254', ['169.254.0.0/16', '0.0.0.0/0', '::/0'], false],
    ['::ffff:a9fe:a9fe', ['0.0.0.0/0', '::/0'], false],
    ['fe80::1', ['fe80::/10', '::/0'], false],
    ['fe80::1%eth0', ['fe80::/10', '::/0'], false],
    ['fd00:ec2::254', ['::/0'], false],
    ['168.63.129.16', ['0.0.0.0/0'], false],
    ['::ffff:168.63.129.16', ['0.0.0.0/0', '::/0'], false],
    ['168.63.129.17', [], true],
    ['nonsense', ['0.0.0.0/0', '::/0'], false],
  ])('%s with %j: %s', (address, allowed, expected) => expect(mayConnect({ allowed }, address)).toBe(expected));
});

describe('an address of the public internet', () => {
  it('is any in IPv4 that the registries do not reserve', () => {
    fc.assert(
      fc.property(any4, (value) => {
        expect(isPublicAddress(text4(value)), text4(value)).toBe(public4(value));
      }),
      { numRuns: 2_000 },
    );
  });

  it('is any in 2000::/3 that the registries do not reserve, in IPv6, in any notation', () => {
    fc.assert(
      fc.property(any6, (value) => {
        for (const text of [text6(value), short6(value), text6(value).toUpperCase()]) {
          expect(isPublicAddress(text), text).toBe(public6(value));
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    '127.0.0.1',
    '10.1.2.3',
    '172.31.255.255',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '100.127.255.255',
    '0.0.0.0',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:a9fe:a9fe',
    '::127.0.0.1',
    '64:ff9b::7f00:1',
    '64:ff9b::808:808',
    '64:ff9b:1::1',
    '2002:7f00:1::',
    '2002:808:808::',
    '2001:0:4136:e378:8000:63bf:3fff:fdd2',
    'fe80::1%eth0',
    'fd00:ec2::254',
    'fec0::1',
    'ff02::1',
    '::7f00:1',
  ])('is not %s', (text) => {
    expect(isPublicAddress(text)).toBe(false);
    expect(mayConnect('public-only', text)).toBe(false);
  });

  it.each(['', 'localhost', '127.1', '0x7f000001', '2130706433', '8.8.8.8 ', '08.8.8.8', '1.1.1.1.1', '[2606:4700::1111]'])(
    'is never malformed text: %j',
    (text) => expect(isPublicAddress(text)).toBe(false),
  );

  it.each(['8.8.8.8', '1.1.1.1', '100.63.255.255', '100.128.0.0', '2606:4700:4700::1111', '::ffff:8.8.8.8'])('is %s', (text) =>
    expect(isPublicAddress(text)).toBe(true),
  );
});
