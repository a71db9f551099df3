import type { Beginnings } from './beginnings.ts';
import type { Budget } from './budget.ts';
import type { DetectOptions } from './detector.ts';
import { Reader } from './scanner.ts';
import type { Scanner, Seek } from './scanner.ts';
import type { TextWork } from './text-work.ts';
import type { Match } from './match.ts';

export interface Scan {
  matches: Match[];
  truncated: boolean;
  safeUntil: number;
}

/** Scanners that seek in the same way. */
interface Group {
  seek: Seek;
  beginnings: Beginnings | undefined;
  /** For each ASCII unit, the scanners that can begin with it. */
  table: ReadonlyArray<readonly Placed[]>;
  /** Scanners that can begin with another unit. */
  wide: readonly Placed[];
}

/** A scanner and its position among all: of equal matches the first counts. */
interface Placed {
  scanner: Scanner;
  position: number;
}

/** The scanners of a detector. */
export class ScannerSet {
  readonly #groups: readonly Group[];
  readonly #all: readonly Group[];

  constructor(scanners: readonly Scanner[]) {
    const placed = scanners.map((scanner, position) => ({ scanner, position }));
    const seeks = new Set(scanners.map(({ seek }) => seek));
    this.#groups = [...seeks].map((seek) =>
      groupOf(
        placed.filter(({ scanner }) => scanner.seek === seek),
        seek,
      ),
    );
    const all = groupOf(placed, (_text, from) => from);
    this.#all = [{ ...all, seek: (text, from) => firstCandidate(text, from, all) }];
  }

  /** The scanners in groups. In a text that may continue every offset counts: what stands there may depend on what follows. */
  groups(open: boolean): readonly Group[] {
    return open ? this.#all : this.#groups;
  }
}

function groupOf(scanners: readonly Placed[], seek: Seek): Group {
  return {
    seek,
    beginnings: scanners[0]?.scanner.beginnings,
    table: Array.from({ length: 128 }, (_, unit) => scanners.filter(({ scanner }) => scanner.begins(unit))),
    wide: scanners.filter(({ scanner }) => scanner.beginsWide),
  };
}

/** The first offset at which a scanner may begin by the unit there. */
function firstCandidate(text: string, from: number, { table, wide }: Group): number {
  let at = from;
  while (at < text.length && (table[text.charCodeAt(at)] ?? wide).length === 0) at += 1;
  return at;
}

/** Searches a text with several scanners: leftmost first, then longest, then the first scanner; goes on at the end of a match. */
export function scan(scanners: ScannerSet, { work, budget, limit, open, from: first }: DetectOptions): Scan {
  const { text } = work;
  budget.spend(text.length);
  const reader = new Reader(text, budget);
  const matches: Match[] = [];
  const groups = scanners.groups(open);
  const next = groups.map(({ seek, beginnings }) =>
    open || (beginnings?.mayStandIn(work.trigrams, budget) ?? true) ? work.seek(seek, first) : text.length,
  );
  let safeUntil = open ? reader.length : text.length;
  let settled = open;
  let truncated = false;
  for (;;) {
    const at = smallest(next, text.length);
    if (at === text.length) break;
    reader.touchedEnd = false;
    const best = longestAt(reader, at, { groups, next }, { work, budget });
    if (settled && reader.touchedEnd) {
      settled = false;
      safeUntil = Math.min(safeUntil, at);
    }
    if (best && matches.length >= limit) truncated = true;
    else if (best) matches.push(best);
    if (truncated && !settled) break;
    const from = best ? best.end : at + 1;
    for (let index = 0; index < groups.length; index += 1) {
      const group = groups[index];
      if (group && (next[index] ?? 0) < from) next[index] = work.seek(group.seek, from);
    }
  }
  return { matches, truncated, safeUntil };
}

function smallest(offsets: readonly number[], most: number): number {
  let least = most;
  for (const offset of offsets) if (offset < least) least = offset;
  return least;
}

/** The longest match at an offset, of those groups that found it. */
function longestAt(
  reader: Reader,
  at: number,
  { groups, next }: { groups: readonly Group[]; next: readonly number[] },
  shared: { work: TextWork; budget: Budget },
): Match | undefined {
  const unit = reader.text.charCodeAt(at);
  let best: Match | undefined;
  let first = -1;
  for (let index = 0; index < groups.length; index += 1) {
    const group = groups[index];
    if (!group || next[index] !== at) continue;
    for (const { scanner, position } of group.table[unit] ?? group.wide) {
      if (unit >= 128 && scanner.beginsWide?.(unit) !== true) continue;
      const end = attempt(scanner, reader, at, shared);
      const longest = best?.end ?? at;
      if (end < longest || (end === longest && (!best || position > first))) continue;
      best = { start: at, end, label: scanner.label };
      first = position;
    }
  }
  return best;
}

/** What a scanner finds at an offset; looked up where another guardrail of the check has asked before. */
function attempt(scanner: Scanner, reader: Reader, at: number, { work, budget }: { work: TextWork; budget: Budget }): number {
  const attempts = work.attempts(scanner);
  const known = attempts[at] ?? 0;
  if (known !== 0) {
    budget.spend(1);
    if (known < 0) reader.touchedEnd = true;
    return Math.abs(known) - 2;
  }
  const { touchedEnd } = reader;
  reader.touchedEnd = false;
  const end = scanner.attempt(reader, at);
  // An end is -1 or more. The sign notes that the end of the text was asked for.
  attempts[at] = reader.touchedEnd ? -2 - end : end + 2;
  reader.touchedEnd ||= touchedEnd;
  return end;
}
