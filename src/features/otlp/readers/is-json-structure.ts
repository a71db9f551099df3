import { parseJson } from './parse-json.ts';

const quote = 0x22;
const backslash = 0x5c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;

type Expected = 'value' | 'value or end' | 'key' | 'key or end' | 'comma or end';

/** The closing bracket of each open one. Reused by each call; a text of {@link maxScannedLength} cannot nest deeper. */
const open = new Uint8Array(256);

/** Longer texts go to `JSON.parse`, which has a higher fixed cost and is faster per character. */
const maxScannedLength = 256;

/**
 * Whether a text is a JSON array or object, exactly as `JSON.parse` decides. Short texts are scanned without allocating objects:
 * every span has several, and only their validity is needed.
 */
export function isJsonStructure(text: string): boolean {
  const at = skipSpace(text, 0);
  const first = text.charCodeAt(at);
  if (first !== openBracket && first !== openBrace) return false;
  return text.length > maxScannedLength ? parseJson(text) !== undefined : scan(text, at);
}

function scan(text: string, from: number): boolean {
  let at = from;
  let depth = 0;
  let expected: Expected = 'value';
  for (;;) {
    at = skipSpace(text, at);
    const unit = text.charCodeAt(at);
    if (expected === 'comma or end') {
      if (unit === 0x2c) {
        at++;
        expected = open[depth - 1] === closeBrace ? 'key' : 'value';
        continue;
      }
      if (unit !== open[depth - 1]) return false;
      at++;
    } else if (unit === closeBracket && expected === 'value or end') at++;
    else if (unit === closeBrace && expected === 'key or end') at++;
    else if (expected === 'key' || expected === 'key or end') {
      at = unit === quote ? skipSpace(text, stringEnd(text, at + 1)) : -1;
      if (at < 0 || text.charCodeAt(at) !== 0x3a) return false;
      at++;
      expected = 'value';
      continue;
    } else if (unit === openBrace || unit === openBracket) {
      open[depth++] = unit + 2;
      expected = unit === openBrace ? 'key or end' : 'value or end';
      at++;
      continue;
    } else {
      at = unit === quote ? stringEnd(text, at + 1) : scalarEnd(text, at);
      if (at < 0) return false;
      expected = 'comma or end';
      continue;
    }
    // A bracket was closed.
    expected = 'comma or end';
    if (--depth === 0) return skipSpace(text, at) === text.length;
  }
}

function skipSpace(text: string, from: number): number {
  let at = from;
  if (at < 0) return at;
  for (
    let unit = text.charCodeAt(at);
    unit === 0x20 || unit === 0x0a || unit === 0x0d || unit === 0x09;
    unit = text.charCodeAt(at)
  )
    at++;
  return at;
}

/** The index after the closing quote of a string whose content starts at `from`, -1 when it is invalid. */
function stringEnd(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === quote) return at + 1;
    if (unit < 0x20) return -1;
    if (unit !== backslash) continue;
    at = escapeEnd(text, at + 1);
    if (at < 0) return -1;
  }
  return -1;
}

/** The index of the last character of the escape whose letter is at `at`, -1 when it is invalid. */
function escapeEnd(text: string, at: number): number {
  const letter = text.charAt(at);
  if (letter === 'u') return /^[0-9a-fA-F]{4}$/.test(text.slice(at + 1, at + 5)) ? at + 4 : -1;
  return letter !== '' && '"\\/bfnrt'.includes(letter) ? at : -1;
}

const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

/** The index after the number or literal that starts at `from`, -1 when there is none. */
function scalarEnd(text: string, from: number): number {
  for (const literal of ['true', 'false', 'null']) if (text.startsWith(literal, from)) return from + literal.length;
  number.lastIndex = from;
  return number.test(text) ? number.lastIndex : -1;
}
