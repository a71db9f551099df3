import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isApiKey, makeApiKey, randomBase62 } from './api-key.ts';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const letters = (length: number) =>
  fc.array(fc.constantFrom(...alphabet), { minLength: length, maxLength: length }).map((parts) => parts.join(''));

/** The checksum computed independently: by BigInt, digits collected in reverse order. */
function expectedChecksum(random: string): string {
  let value = BigInt(crc32(Buffer.from(random, 'latin1')));
  const places: string[] = [];
  while (value > 0n) {
    places.push(alphabet[Number(value % 62n)] ?? '');
    value /= 62n;
  }
  return places.toReversed().join('').padStart(6, '0');
}

test('generated keys have the format and differ', () => {
  const keys = Array.from({ length: 1_000 }, () => makeApiKey());
  for (const key of keys) {
    expect(key).toMatch(/^spw_[0-9A-Za-z]{36}$/);
    expect(isApiKey(key)).toBe(true);
  }
  expect(new Set(keys).size).toBe(keys.length);
});

test('the checksum is the CRC-32 in base62, padded with zeros', () => {
  fc.assert(fc.property(letters(30), (random) => isApiKey(`spw_${random}${expectedChecksum(random)}`)));
});

test('keys of earlier releases stay valid', () => {
  // CRC-32 of thirty zeros, computed independently: python3 -c 'import zlib; print(zlib.crc32(b"0" * 30))'
  expect(crc32('0'.repeat(30))).toBe(2_011_552_642);
  expect(isApiKey(`spw_${'0'.repeat(30)}2C8GjS`)).toBe(true);
});

test('one wrong character, or two exchanged, make a key invalid', () => {
  fc.assert(
    fc.property(letters(30), fc.nat(35), fc.constantFrom(...alphabet), (random, place, letter) => {
      const key = `spw_${random}${expectedChecksum(random)}`;
      const at = 4 + place;
      const other = key.slice(0, at) + letter + key.slice(at + 1);
      const turned = key.slice(0, at - 1) + (key[at] ?? '') + (key[at - 1] ?? '') + key.slice(at + 1);
      return isApiKey(other) === (other === key) && isApiKey(turned) === (turned === key);
    }),
  );
});

test('other texts are invalid', () => {
  const key = makeApiKey();
  for (const other of [
    '',
    'spw_',
    key.slice(1),
    key.slice(0, -1),
    `${key}0`,
    `${key}\n`,
    ` ${key}`,
    key.replace('spw_', 'spwu_'),
    key.replace('spw', 'SPW'),
  ]) {
    expect(isApiKey(other), other).toBe(false);
  }
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => !isApiKey(text)));
});

test('random text uses the whole alphabet', () => {
  expect(randomBase62(0)).toBe('');
  expect(new Set(randomBase62(10_000)).size).toBe(62);
});
