import { randomBytes } from 'node:crypto';
import { behindString } from './behind-string.ts';

interface RawJson {
  rawJSON: string;
}

/** The first returns a value that `JSON.stringify` writes as the given text. Both are missing in TypeScript's library. */
const { rawJSON, isRawJSON } = JSON as unknown as { rawJSON(text: string): RawJson; isRawJSON(value: unknown): value is RawJson };

/** Matches within every number that a double may not represent exactly as it was written. */
const longNumber = /\d{16}|\d[eE][+-]?\d{3}|\d\.\d{15}/g;

/**
 * Replaces some numbers of a JSON text by other JSON. The cost grows with the number of matches and of the strings before them. A
 * `JSON.parse` reviver, which also receives the source of each number, costs about 1 µs for every value.
 *
 * @param text valid JSON
 * @param suspects a global pattern that matches within each number to replace; matches within strings are ignored
 * @param replacementOf returns the JSON for a number, given as it is written; null keeps the number
 */
export function withNumbersReplaced(text: string, suspects: RegExp, replacementOf: (source: string) => string | null): string {
  const pieces: string[] = [];
  let copied = 0;
  let at = 0;
  let opening = nextQuote(text, 0);
  for (;;) {
    suspects.lastIndex = at;
    if (!suspects.test(text)) break;
    // The match may begin anywhere in the number; its last character is certainly part of it.
    const within = suspects.lastIndex - 1;
    while (opening < within) {
      at = behindString(text, opening) ?? text.length;
      opening = nextQuote(text, at);
    }
    if (at > within) continue;
    let start = within;
    while (start > at && isPartOfNumber(text.charCodeAt(start - 1))) start--;
    at = within + 1;
    while (isPartOfNumber(text.charCodeAt(at))) at++;
    const json = replacementOf(text.slice(start, at));
    if (json === null) continue;
    pieces.push(text.slice(copied, start), json);
    copied = at;
  }
  return copied === 0 ? text : pieces.join('') + text.slice(copied);
}

/** A number as `JSON.parse` returns it, in place of one that {@link parseKeepingNumbers} kept; any other value as it is. */
export function ordinaryNumber(value: unknown): unknown {
  return isKeptNumber(value) ? Number(value.rawJSON) : value;
}

/** Whether a value is a number that {@link parseKeepingNumbers} kept; `typeof` calls it an object. */
export const isKeptNumber: (value: unknown) => value is RawJson = isRawJSON;

/**
 * Parses JSON like `JSON.parse`, but keeps numbers that a double cannot represent (such as ids of 19 digits): `JSON.stringify` writes them
 * as they were written in `text`.
 *
 * @param text valid JSON, nested no deeper than a recursion can follow
 * @param parsed the result of `JSON.parse(text)`; returned unchanged when `text` has no such number
 * @param numbers names of members that are always parsed as ordinary numbers
 */
export function parseKeepingNumbers(text: string, parsed: unknown, numbers: ReadonlySet<string> = new Set()): unknown {
  if (text.search(longNumber) === -1) return parsed;
  // Random, so that no string of the text begins with it.
  const mark = randomBytes(6).toString('base64url');
  const marked = withNumbersReplaced(text, longNumber, (source) =>
    String(Number(source)) === source ? null : `"${mark}${source}"`,
  );
  return marked === text ? parsed : unmarked(JSON.parse(marked), '', { mark, numbers, written: new Map() });
}

interface Marked {
  mark: string;
  numbers: ReadonlySet<string>;
  /** Cache by source text, since numbers repeat. */
  written: Map<string, unknown>;
}

function unmarked(value: unknown, key: string, marked: Marked): unknown {
  if (typeof value === 'string')
    return value.startsWith(marked.mark) ? number(value.slice(marked.mark.length), key, marked) : value;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) value[index] = unmarked(value[index], '', marked);
  } else if (typeof value === 'object' && value !== null) {
    const members = value as Record<string, unknown>;
    for (const name of Object.keys(members)) members[name] = unmarked(members[name], name, marked);
  }
  return value;
}

function number(source: string, key: string, { numbers, written }: Marked): unknown {
  if (numbers.has(key)) return Number(source);
  const known = written.get(source) ?? rawJSON(source);
  written.set(source, known);
  return known;
}

/** Whether the UTF-16 unit is one of `0123456789+-.eE`. */
function isPartOfNumber(unit: number): boolean {
  return (unit >= 0x30 && unit <= 0x39) || unit === 0x2b || unit === 0x2d || unit === 0x2e || unit === 0x65 || unit === 0x45;
}

function nextQuote(text: string, from: number): number {
  const at = text.indexOf('"', from);
  return at === -1 ? Infinity : at;
}
