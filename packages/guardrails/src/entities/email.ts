import { isAlphanumeric, isLetter, isWord } from '../scanner.ts';
import type { Reader } from '../scanner.ts';
import { entity } from './entity.ts';
import type { Entity } from './entity.ts';

const longestLocalPart = 64;
const longestDomain = 253;

/** Where East Asian scripts begin, which are written without spaces: they end an address. */
const eastAsian = 0x2e80;
const localUnits = Uint8Array.from({ length: 128 }, (_, unit) =>
  isWord(unit) || ".!#$%&'*+-/=?^`{|}~".includes(String.fromCharCode(unit)) ? 1 : 0,
);
const wordUnits = Uint8Array.from({ length: 128 }, (_, unit) => (isWord(unit) ? 1 : 0));
const letter = /[\p{L}\p{M}\p{Nd}]/u;

/** E-mail addresses (RFC 5321, with the alphabets of RFC 6531): an unquoted local part and a domain name with two labels or more. */
export const email: Entity<'email'> = entity('Email address', {
  label: 'email',
  begins: isWord,
  beginsWide: isForeign,
  seek,
  attempt,
});

/** The first offset of the next local part in front of an `@`, or an offset in it. */
function seek(text: string, from: number): number {
  for (let at = text.indexOf('@', from); at >= 0; at = text.indexOf('@', at + 1)) {
    const first = Math.max(from, at - longestLocalPart);
    let start = at;
    while (start > first && isLocal(text.charCodeAt(start - 1))) start -= 1;
    if (start < at) return start;
  }
  return text.length;
}

/** Characters that a local part begins with. Punctuation stands before an address more often than in it. */
function isFirst(unit: number): boolean {
  return unit < 128 ? wordUnits[unit] === 1 : isForeign(unit);
}

function isForeign(unit: number): boolean {
  return unit > 127 && unit < eastAsian && letter.test(String.fromCharCode(unit));
}

/** The characters of a local part, full stops among them. */
function isLocal(unit: number): boolean {
  return unit < 128 ? localUnits[unit] === 1 : isForeign(unit);
}

function isDomain(unit: number): boolean {
  return isAlphanumeric(unit) || unit === 45 || isForeign(unit);
}

function attempt(reader: Reader, start: number): number {
  const before = reader.at(start - 1);
  if (isFirst(before) || before === 46) return -1;
  // What a URL has in front of its host is user and password.
  if (before === 58 && inUserInfo(reader.text, start)) return -1;
  // The longest local part and one more character tell whether it is too long.
  const at = reader.sharedRun(start, isLocal, longestLocalPart + 1);
  if (at - start > longestLocalPart || reader.at(at) !== 64 || reader.at(at - 1) === 46) return -1;
  if (reader.text.slice(start, at).includes('..')) return -1;
  return domainEnd(reader, at + 1);
}

/** Whether what stands before a colon is a scheme and the user of a URL. */
function inUserInfo(text: string, start: number): boolean {
  return /:\/\/[^\s/@:]{0,32}:$/.test(text.slice(Math.max(0, start - 38), start));
}

/** The end of the domain name at an offset, or -1. */
function domainEnd(reader: Reader, from: number): number {
  let end = -1;
  let label = from;
  for (let labels = 1; label - from <= longestDomain; labels += 1) {
    const labelEnd = reader.run(label, isDomain, 64);
    if (labelEnd === label || labelEnd - label > 63) break;
    if (reader.at(label) === 45 || reader.at(labelEnd - 1) === 45) break;
    if (labels > 1 && isTop(reader.text.slice(label, labelEnd))) end = labelEnd;
    if (reader.at(labelEnd) !== 46) break;
    label = labelEnd + 1;
  }
  return end - from > longestDomain ? -1 : end;
}

/** Whether a label can be the last one: letters, or an internationalized name in ASCII. */
function isTop(label: string): boolean {
  if (label.startsWith('xn--')) return label.length > 4;
  if (label.length < 2) return false;
  for (let at = 0; at < label.length; at += 1) {
    const unit = label.charCodeAt(at);
    if (unit < 128 && !isLetter(unit)) return false;
  }
  return true;
}
