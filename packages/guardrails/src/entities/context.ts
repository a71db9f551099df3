import type { Reader } from '../scanner.ts';

/** Units before and behind a number that are searched for words. */
const reachBefore = 40;
const reachAfter = 16;

/** The words before an offset, in lower case. */
export function wordsBefore(reader: Reader, offset: number): string[] {
  reader.spend(reachBefore);
  return words(reader.text.slice(Math.max(0, offset - reachBefore), offset));
}

/** The words behind an offset, in lower case. */
export function wordsAfter(reader: Reader, offset: number): string[] {
  reader.at(offset + reachAfter - 1);
  reader.spend(reachAfter);
  return words(reader.text.slice(offset, offset + reachAfter));
}

export function hasWord(found: readonly string[], words: readonly string[]): boolean {
  return found.some((word) => words.includes(word));
}

function words(text: string): string[] {
  return /[a-z]/i.test(text) ? (text.toLowerCase().match(/[a-z]+#?/g) ?? []) : [];
}
