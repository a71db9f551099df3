import { randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const randomLength = 30;
const pattern = /^spw_([0-9A-Za-z]{30})([0-9A-Za-z]{6})$/;

/** A new project API key: `spw_`, 30 random base62 characters, and the CRC-32 of those in 6 (docs/semantics.md, "Project API keys"). */
export function makeApiKey(): string {
  const random = randomBase62(randomLength);
  return `spw_${random}${checksum(random)}`;
}

/** Whether a text has the format of a project API key, checksum included. Detects a mistyped key without a look-up. */
export function isApiKey(text: string): boolean {
  const [, random, sum] = pattern.exec(text) ?? [];
  return random !== undefined && checksum(random) === sum;
}

/** `length` random base62 characters. */
export function randomBase62(length: number): string {
  let text = '';
  for (let index = 0; index < length; index++) text += digits[randomInt(digits.length)];
  return text;
}

/** The CRC-32 of a text as base62, padded with zeros to 6 characters (62^6 is more than 2^32). */
function checksum(text: string): string {
  let rest = crc32(text);
  let encoded = '';
  for (let place = 0; place < 6; place++) {
    encoded = `${digits[rest % 62] ?? ''}${encoded}`;
    rest = Math.floor(rest / 62);
  }
  return encoded;
}
