import type { Budget } from './budget.ts';
import type { DetectOptions } from './detector.ts';
import { settledLength } from './open-starts.ts';
import type { Match } from './types.ts';

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

  constructor(text: string, budget: Budget) {
    this.text = text;
    this.length = settledLength(text);
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
    for (let index = 0; index < expected.length; index += 1) {
      if (this.at(offset + index) !== expected.charCodeAt(index)) return false;
    }
    return true;
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

/** Finds matches of one label. */
export interface Scanner {
  label: string;
  /** Whether a match may begin with an ASCII unit: a quick filter. */
  begins(unit: number): boolean;
  /** Whether a match may begin with another unit; none by default. */
  beginsWide?(unit: number): boolean;
  /** A text in which this finds nothing has no match; takes time linear in the text. Scanners with the same object share the answer. */
  needs?: RegExp;
  /**
   * The end of the match that begins at an offset, or -1. Reads the text through the reader alone, except for what stands before the offset. Reads a
   * bounded number of units, or begins only where a run of units begins, so that all attempts together take time linear in the text.
   */
  attempt(reader: Reader, start: number): number;
}

export interface Scan {
  matches: Match[];
  truncated: boolean;
  safeUntil: number;
}

/** The scanners of a detector. */
export class ScannerSet {
  readonly #scanners: readonly Scanner[];
  readonly #needs: readonly RegExp[];
  /** By the needs that a text meets, one bit each. */
  readonly #tables = new Map<number, Beginnings>();

  constructor(scanners: readonly Scanner[]) {
    this.#scanners = scanners;
    this.#needs = [...new Set(scanners.flatMap(({ needs }) => needs ?? []))];
  }

  /** The scanners that may find something in a text. Of a text that may continue: all. */
  for(text: string, open: boolean): Beginnings {
    let met = 0;
    for (const [index, needs] of this.#needs.entries()) if (open || needs.test(text)) met |= 1 << index;
    const known = this.#tables.get(met);
    if (known) return known;
    const some = this.#scanners.filter(({ needs }) => needs === undefined || (met & (1 << this.#needs.indexOf(needs))) !== 0);
    const table = beginnings(some);
    this.#tables.set(met, table);
    return table;
  }
}

/** Searches a text with several scanners: leftmost first, then longest, then the first scanner; goes on at the end of a match. */
export function scan(text: string, scanners: ScannerSet, { budget, limit, open }: DetectOptions): Scan {
  budget.spend(text.length);
  const reader = new Reader(text, budget);
  const matches: Match[] = [];
  const { table, wide, none } = scanners.for(text, open);
  if (none) return { matches, truncated: false, safeUntil: open ? reader.length : text.length };
  let safeUntil = open ? reader.length : text.length;
  let settled = open;
  let truncated = false;
  for (let at = 0; at < text.length;) {
    const unit = text.charCodeAt(at);
    const candidates = (unit < 128 ? table[unit] : wide) ?? wide;
    if (candidates.length === 0) {
      at += 1;
      continue;
    }
    let best: Match | undefined;
    reader.touchedEnd = false;
    for (const scanner of candidates) {
      if (unit >= 128 && scanner.beginsWide?.(unit) !== true) continue;
      const end = scanner.attempt(reader, at);
      if (end > (best?.end ?? at)) best = { start: at, end, label: scanner.label };
    }
    if (settled && reader.touchedEnd) {
      settled = false;
      safeUntil = Math.min(safeUntil, at);
    }
    if (best && matches.length >= limit) truncated = true;
    else if (best) matches.push(best);
    if (truncated && !settled) break;
    at = best ? best.end : at + 1;
  }
  return { matches, truncated, safeUntil };
}

interface Beginnings {
  /** For each ASCII unit, the scanners that can begin with it. */
  table: ReadonlyArray<readonly Scanner[]>;
  /** Scanners that can begin with another unit. */
  wide: readonly Scanner[];
  /** There are no scanners. */
  none: boolean;
}

function beginnings(scanners: readonly Scanner[]): Beginnings {
  return {
    table: Array.from({ length: 128 }, (_, unit) => scanners.filter(({ begins }) => begins(unit))),
    wide: scanners.filter(({ beginsWide }) => beginsWide),
    none: scanners.length === 0,
  };
}

export const isDigit = (unit: number): boolean => unit >= 48 && unit <= 57;
export const isUpper = (unit: number): boolean => unit >= 65 && unit <= 90;
export const isLetter = (unit: number): boolean => isUpper(unit) || (unit >= 97 && unit <= 122);
export const isAlphanumeric = (unit: number): boolean => isDigit(unit) || isLetter(unit);
/** ASCII letters, digits and `_`. */
export const isWord = (unit: number): boolean => isAlphanumeric(unit) || unit === 95;
