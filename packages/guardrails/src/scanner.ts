import type { Beginnings } from './beginnings.ts';
import type { Budget } from './budget.ts';
import { settledLength } from './open-starts.ts';

/** A text as a scanner reads it. Notes whether a decision depended on where the text ends. */
export class Reader {
  readonly text: string;
  /** Units that appended text cannot change. */
  readonly length: number;
  /** A unit behind the end was asked for since this was last set to false. */
  touchedEnd = false;
  readonly #budget: Budget;
  /** For each class the latest run of its units. */
  readonly #runs = new Map<(unit: number) => boolean, { start: number; end: number }>();

  /** @param length units that appended text cannot change; all but half of a pair by default */
  constructor(text: string, budget: Budget, length: number = settledLength(text)) {
    this.text = text;
    this.length = length;
    this.#budget = budget;
  }

  /** The UTF-16 unit at an offset; -1 outside the text. */
  at(offset: number): number {
    if (offset >= this.length) this.touchedEnd = true;
    return offset >= 0 && offset < this.text.length ? this.text.charCodeAt(offset) : -1;
  }

  /** The offset behind the units from `start` that a class holds, at most `limit` of them. */
  run(start: number, within: (unit: number) => boolean, limit: number = Infinity): number {
    const end = this.#runEnd(start, start + limit, within);
    this.#budget.spend(end - start + 1);
    return this.#ended(start, end, limit);
  }

  /** Like `run`, for classes that many attempts read at many offsets: a run is read once. The class is always the same function. */
  sharedRun(start: number, within: (unit: number) => boolean, limit: number = Infinity): number {
    let known = this.#runs.get(within);
    if (!known) this.#runs.set(within, (known = { start: 0, end: 0 }));
    if (start < known.start || start >= known.end) known.start = known.end = start;
    const last = start + limit;
    if (known.end < last) {
      const end = this.#runEnd(known.end, last, within);
      this.#budget.spend(end - known.end);
      known.end = end;
    }
    this.#budget.spend(1);
    return this.#ended(start, Math.min(known.end, last), limit);
  }

  #runEnd(start: number, last: number, within: (unit: number) => boolean): number {
    const { text } = this;
    const most = Math.min(text.length, last);
    let end = start;
    while (end < most && within(text.charCodeAt(end))) end += 1;
    return end;
  }

  /** Notes that a run depends on the end of the text: on the unit behind it, unless it ended at its limit. */
  #ended(start: number, end: number, limit: number): number {
    if ((end - start < limit ? end : end - 1) >= this.length) this.touchedEnd = true;
    return end;
  }

  /** Whether a text stands at an offset. */
  has(expected: string, offset: number): boolean {
    return this.shared(expected, offset) === expected.length;
  }

  /** How many units at an offset are those that a text begins with. */
  shared(expected: string, offset: number): number {
    let length = 0;
    while (length < expected.length && this.at(offset + length) === expected.charCodeAt(length)) length += 1;
    return length;
  }

  /** The text between two offsets. */
  slice(start: number, end: number): string {
    this.#budget.spend(end - start);
    return this.text.slice(start, end);
  }

  spend(steps: number): void {
    this.#budget.spend(steps);
  }
}

/**
 * The first offset, `from` or behind it, at which a match may begin in a text that is whole; the length of the text, or more, where there is none. All
 * calls for one text, with rising offsets, take time linear in it together. Scanners with the same function share its answers.
 */
export type Seek = (text: string, from: number) => number;

/** Finds matches of one label. */
export interface Scanner {
  label: string;
  /** Whether a match may begin with an ASCII unit. */
  begins(unit: number): boolean;
  /** Whether a match may begin with another unit; none by default. */
  beginsWide?(unit: number): boolean;
  /** Leads past offsets at which no match begins. */
  seek: Seek;
  /** What every match begins with, of all scanners with the same `seek`; not known by default. */
  beginnings?: Beginnings;
  /**
   * The end of the match that begins at an offset, or -1. Reads the text through the reader alone, except for what stands before the offset. Reads a
   * bounded number of units, or begins only where a run of units begins, so that all attempts together take time linear in the text.
   */
  attempt(reader: Reader, start: number): number;
}

/** Seeks the matches of a regular expression with the flag `g`, in which the start of a match of the scanner matches. */
export function seekBy(expression: RegExp): Seek {
  return (text, from) => {
    expression.lastIndex = from;
    return expression.exec(text)?.index ?? text.length;
  };
}

/** Spaces between groups that count as one separator. */
const mostSpaces = 3;

/** The end of the spaces at an offset, at most as many as between groups of digits; the offset where there are none or more. */
export function spacesEnd(reader: Reader, from: number): number {
  let end = from;
  while (end - from <= mostSpaces && reader.at(end) === 32) end += 1;
  return end - from > mostSpaces ? from : end;
}

export const isDigit = (unit: number): boolean => unit >= 48 && unit <= 57;
export const isUpper = (unit: number): boolean => unit >= 65 && unit <= 90;
export const isLetter = (unit: number): boolean => isUpper(unit) || (unit >= 97 && unit <= 122);
export const isAlphanumeric = (unit: number): boolean => isDigit(unit) || isLetter(unit);
/** ASCII letters, digits and `_`. */
export const isWord = (unit: number): boolean => isAlphanumeric(unit) || unit === 95;
