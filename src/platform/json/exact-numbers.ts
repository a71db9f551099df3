import { randomBytes } from 'node:crypto';
import { behindString } from './behind-string.ts';

/** Not in TypeScript's library yet: a value that JSON.stringify writes as the given text. */
const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown };

/** A number that JavaScript may not hold as it was written. */
const longNumber = /\d{16}|\d[eE][+-]?\d{3}|\d\.\d{15}/g;

/**
 * JSON with other JSON in the place of some numbers. Takes time by what is replaced and by the strings before it; a reviver, which sees the source
 * of each number as well, takes a microsecond for each value of the text.
 *
 * @param text valid JSON
 * @param suspects global; matches within each number that may be replaced, and may match within strings, which stay
 * @param instead of a number as it is written; null: it stays
 */
export function withNumbersReplaced(text: string, suspects: RegExp, instead: (source: string) => string | null): string {
  const pieces: string[] = [];
  let copied = 0;
  let at = 0;
  let opening = nextQuote(text, 0);
  for (;;) {
    suspects.lastIndex = at;
    if (!suspects.test(text)) break;
    // One of its characters, wherever in it the match began.
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
    const json = instead(text.slice(start, at));
    if (json === null) continue;
    pieces.push(text.slice(copied, start), json);
    copied = at;
  }
  return copied === 0 ? text : pieces.join('') + text.slice(copied);
}

/**
 * What `JSON.parse` makes of a text, but a number that JavaScript may not hold (an id of 19 digits, say) is written again as it came by
 * `JSON.stringify`.
 *
 * @param text valid JSON that nests no deeper than can be walked
 * @param parsed what `JSON.parse` made of it; returned when there is no such number
 * @param numbers members of these names stay numbers
 */
export function parseKeepingNumbers(text: string, parsed: unknown, numbers: ReadonlySet<string> = new Set()): unknown {
  if (text.search(longNumber) === -1) return parsed;
  // What no sender can know: a string that begins with it was a number.
  const mark = randomBytes(6).toString('base64url');
  const marked = withNumbersReplaced(text, longNumber, (source) =>
    String(Number(source)) === source ? null : `"${mark}${source}"`,
  );
  return marked === text ? parsed : unmarked(JSON.parse(marked), '', { mark, numbers, written: new Map() });
}

interface Marked {
  mark: string;
  numbers: ReadonlySet<string>;
  /** By their source: the same ones come often. */
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

/** Whether it is one of `0123456789+-.eE`. */
function isPartOfNumber(unit: number): boolean {
  return (unit >= 0x30 && unit <= 0x39) || unit === 0x2b || unit === 0x2d || unit === 0x2e || unit === 0x65 || unit === 0x45;
}

function nextQuote(text: string, from: number): number {
  const at = text.indexOf('"', from);
  return at === -1 ? Infinity : at;
}
