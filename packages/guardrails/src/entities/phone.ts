import { isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js';
import type { CountryCode } from 'libphonenumber-js';
import { isAlphanumeric, isDigit, seekBy } from '../scanner.ts';
import type { Reader, Scanner } from '../scanner.ts';
import { hasWord, wordsAfter, wordsBefore } from './context.ts';

/** Longest number with its separators, in units. */
const longest = 28;
/** Steps that a look into the library's metadata counts for. */
const stepsPerParse = 1_500;
/** Beside these any digits are a phone number. */
const phoneWords = 'phone phones telephone tel mobile cell cellphone fax hotline whatsapp'.split(' ');
/** Beside these they are one where they are written in groups: `invoice number 219099999` is none. */
const otherWords = 'call calling dial desk office sms text contact number reach answering messages ring'.split(' ');
const contextBehind = ['office', 'fax', 'mobile', 'phone', 'cell', 'desk', 'tel'];

/** What an extension begins with. */
const extensionBegins = 'xXeE';
const somethingElse =
  /^\d{4}[-./]\d{1,2}[-./]\d{1,2}|^\d{1,2}[-./]\d{1,2}[-./]\d{4}|^\d{1,3}(?:\.\d{1,3}){3}$|^\d{3}-\d{2}-\d{4}$/;

/** By their regions: guardrails with the same ones share their work on a text. */
const scanners = new Map<string, Scanner>();
const seek = seekBy(/(?<![\w+/])[\d(+]/g);

/** Whether phone numbers of a region (ISO 3166-1, two letters) are known. */
export function isPhoneRegion(region: string): region is CountryCode {
  return isSupportedCountry(region);
}

/**
 * Phone numbers: in international form (`+` or `00`); in the national forms of some regions; and 7 to 13 digits beside a word such as `phone`, or in
 * groups beside one such as `call`. With its extension, if it has one.
 */
export function phoneScanner(regions: readonly CountryCode[]): Scanner {
  const key = regions.join();
  const known = scanners.get(key) ?? newScanner(regions);
  scanners.set(key, known);
  return known;
}

function newScanner(regions: readonly CountryCode[]): Scanner {
  return {
    label: 'phone',
    begins: (unit) => isDigit(unit) || unit === 43 || unit === 40,
    seek,
    attempt(reader, start) {
      const before = reader.at(start - 1);
      if (isAlphanumeric(before) || before === 95 || before === 43 || before === 47) return -1;
      if ((before === 45 || before === 46 || before === 44 || before === 58) && isDigit(reader.at(start - 2))) return -1;
      let words: string[] | undefined;
      let behind: string[] | undefined;
      const ends = endsOf(reader, start);
      const farthest = ends.at(-1)?.end ?? start;
      const nearWords = () => (words ??= wordsBefore(reader, start).slice(-4));
      const nextWord = () => (behind ??= wordsAfter(reader, farthest).slice(0, 1));
      for (let last = ends.pop(); last; last = ends.pop()) {
        const { end, digits } = last;
        if (isNumber(reader, { start, end, digits, nearWords, nextWord }, regions)) return extensionEnd(reader, end);
      }
      return -1;
    },
  };
}

/** Offsets at which a number that begins at an offset may end, the longest last, with its number of digits. */
function endsOf(reader: Reader, start: number): Array<{ end: number; digits: number }> {
  const ends: Array<{ end: number; digits: number }> = [];
  let depth = 0;
  let digits = 0;
  for (let at = start; at - start < longest; at += 1) {
    const unit = reader.at(at);
    if (isDigit(unit)) {
      digits += 1;
      const next = reader.at(at + 1);
      if (!isDigit(next) && depth === 0 && digits >= 7 && digits <= 15 && !endsBadly(reader, at + 1))
        ends.push({ end: at + 1, digits });
    } else if (unit === 40 && depth === 0) depth = 1;
    else if (unit === 41 && depth === 1) depth = 0;
    else if (unit === 43 ? at > start : !isSeparator(reader, at)) break;
  }
  return ends;
}

/** Whether what follows says that the digits are a part of something else. */
function endsBadly(reader: Reader, end: number): boolean {
  const next = reader.at(end);
  if (next === 120 || next === 101) return !isExtension(reader, end);
  if (isAlphanumeric(next) || next === 95 || next === 64 || next === 37) return true;
  return (next === 46 || next === 44 || next === 58 || next === 47) && isDigit(reader.at(end + 1)) && next !== 46;
}

/** A space, hyphen, full stop or slash between digits or brackets, one at a time. */
function isSeparator(reader: Reader, at: number): boolean {
  const unit = reader.at(at);
  if (unit !== 32 && unit !== 45 && unit !== 46 && unit !== 47 && unit !== 0xa0) return false;
  const next = reader.at(at + 1);
  return isDigit(next) || next === 40;
}

interface Candidate {
  start: number;
  end: number;
  /** How many digits it has. */
  digits: number;
  /** The words before it. */
  nearWords(): string[];
  /** The first word behind it and the digits that follow. */
  nextWord(): string[];
}

function isNumber(reader: Reader, candidate: Candidate, regions: readonly CountryCode[]): boolean {
  const { start, end, digits, nearWords, nextWord } = candidate;
  const text = reader.slice(start, end);
  if (text.startsWith('+')) return isPossible(reader, `+${digitsOf(text)}`);
  if (/[-./]/.test(text) && isSomethingElse(text)) return false;
  if (digits >= 10 && /^00[1-9]/.test(text) && isPossible(reader, `+${digitsOf(text).slice(2)}`)) return true;
  if (regions.some((region) => isNational(reader, text, digits, region))) return true;
  if (digits > 13) return false;
  if (hasWord(nearWords(), phoneWords) || hasWord(nextWord(), contextBehind)) return true;
  return /\D/.test(text) && hasWord(nearWords(), otherWords);
}

/** Whether a text has the form of a date, an IP address or a social security number. */
function isSomethingElse(text: string): boolean {
  return somethingElse.test(text);
}

function digitsOf(text: string): string {
  return text.replaceAll(/\D/g, '');
}

function isPossible(reader: Reader, number: string): boolean {
  reader.spend(stepsPerParse);
  return parsePhoneNumberFromString(number)?.isPossible() === true;
}

/** Whether a text is a number in the form that a region writes its numbers. */
function isNational(reader: Reader, text: string, digits: number, region: CountryCode): boolean {
  if (region === 'US' || region === 'CA') {
    if (digits !== 10 && digits !== 11) return false;
    // Area and exchange begin with 2 to 9. Numbers without separators must be given out.
    if (/^(?:1[-. ])?(?:\([2-9]\d\d\) ?|[2-9]\d\d[-. /])\d{3}[-. ]\d{4}$/.test(text)) return true;
    if (!/^1?[2-9]\d\d[2-9]\d{6}$/.test(text)) return false;
  }
  reader.spend(stepsPerParse);
  const parsed = parsePhoneNumberFromString(digitsOf(text), region);
  return parsed !== undefined && parsed.isValid();
}

/** Whether an extension begins at an offset: `x12`, `ext. 12`. */
function isExtension(reader: Reader, at: number): boolean {
  return extensionEnd(reader, at) > at;
}

/** The end of the extension at an offset, or the offset. */
function extensionEnd(reader: Reader, from: number): number {
  reader.at(from + 14);
  const { text } = reader;
  if (!extensionBegins.includes(text[text[from] === ' ' ? from + 1 : from] ?? '-')) return from;
  const extension = /^ ?(?:x|ext\.?|extension) ?\d{1,6}(?![A-Za-z0-9])/i.exec(text.slice(from, from + 20));
  if (!extension) return from;
  reader.at(from + extension[0].length);
  return from + extension[0].length;
}
