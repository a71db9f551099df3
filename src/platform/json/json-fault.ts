import { behindString } from './behind-string.ts';
import { decimalOf } from './decimal-of.ts';

/** Characters of a number; a longer one is not exact in any program. */
const longestNumber = 64;

/**
 * Why programs may read a JSON text differently, which I-JSON (RFC 7493) forbids: a member name twice in one object, or a number that a double does not
 * hold exactly as it is written. `1.0` and `1e0` are the number 1.
 *
 * @param text valid JSON
 * @returns null where every program reads the same values
 */
export function jsonFault(text: string): string | null {
  /** The names so far of each open object; null for an array. */
  const open: Array<Set<string> | null> = [];
  let nameFollows = false;
  let at = 0;
  while (at < text.length) {
    const character = text[at] ?? '';
    if (character === '"') {
      const end = behindString(text, at) ?? text.length;
      const names = open.at(-1);
      if (nameFollows && names) {
        const name = JSON.parse(text.slice(at, end)) as string;
        if (names.has(name)) return `the member ${JSON.stringify(name.slice(0, 100))} is given twice in one object`;
        names.add(name);
        nameFollows = false;
      }
      at = end;
      continue;
    }
    if (isNumberStart(character)) {
      const end = numberEnd(text, at);
      if (!isExact(text.slice(at, Math.min(end, at + longestNumber + 1))))
        return `the number ${text.slice(at, Math.min(end, at + 30))} is not exact in the double precision of RFC 8785`;
      at = end;
      continue;
    }
    if (character === '{') open.push(new Set());
    else if (character === '[') open.push(null);
    else if (character === '}' || character === ']') open.pop();
    if (character === '{' || character === ',') nameFollows = open.at(-1) !== null;
    else if (character === '[') nameFollows = false;
    at += 1;
  }
  return null;
}

function isNumberStart(character: string): boolean {
  return character === '-' || (character >= '0' && character <= '9');
}

function numberEnd(text: string, start: number): number {
  let at = start;
  while (at < text.length && '+-.eE0123456789'.includes(text[at] ?? ' ')) at += 1;
  return at;
}

function isExact(source: string): boolean {
  const value = Number(source);
  if (String(value) === source) return true;
  return source.length <= longestNumber && Number.isFinite(value) && decimalOf(source) === decimalOf(String(value));
}
