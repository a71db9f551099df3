import type { TimeRange } from '../time-range.ts';

/** A part of a range of times; both ends are included, epoch nanoseconds. */
export interface TimePart {
  fromNs: bigint;
  toNs: bigint;
}

/** A range as a part of itself. */
export function wholeOf({ fromNs, beforeNs }: TimeRange): TimePart {
  return { fromNs, toNs: beforeNs - 1n };
}
