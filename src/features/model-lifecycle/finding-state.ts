import { lifecycleBands } from '../../contract/model-lifecycle.ts';
import type { LifecycleBand } from '../../contract/model-lifecycle.ts';
import { dayMs } from '../../contract/durations.ts';

/** What a finding remembers of its raises and of its dismissal. */
export interface FindingState {
  state: 'open' | 'dismissed';
  raisedAt: Date;
  /** The nearest band in which it was ever raised or dismissed. */
  raisedBand: number;
  dismissedAt: Date | null;
  dismissedBy: string | null;
  dismissedBand: number | null;
}

/**
 * Whole UTC days from today to a date; negative after it.
 *
 * @param retiresOn `YYYY-MM-DD`
 */
export function daysRemaining(retiresOn: string, nowMs: number): number {
  return Math.round((Date.parse(`${retiresOn}T00:00:00Z`) - Math.floor(nowMs / dayMs) * dayMs) / dayMs);
}

/** The smallest band that is not below the days remaining; null where the retirement is farther away than every band. */
export function bandOf(days: number): LifecycleBand | null {
  return lifecycleBands.findLast((band) => band >= days) ?? null;
}

/**
 * A finding after a scan (docs/semantics.md, "Model lifecycle"): raised where it is new, or in a nearer band than it was ever raised in.
 *
 * @param before null: the model was never found
 */
export function afterScan(before: FindingState | null, band: LifecycleBand, now: Date): { state: FindingState; raised: boolean } {
  if (before && band >= before.raisedBand) return { state: before, raised: false };
  return {
    state: { state: 'open', raisedAt: now, raisedBand: band, dismissedAt: null, dismissedBy: null, dismissedBand: null },
    raised: true,
  };
}

/**
 * A finding after its dismissal in its current band. A dismissed one stays as it is. The band may be nearer than that of the last scan: it counts as
 * raised then, so that the next scan does not raise what a person has dismissed.
 */
export function afterDismissal(before: FindingState, band: LifecycleBand, by: string, now: Date): FindingState {
  if (before.state === 'dismissed') return before;
  const raisedBand = Math.min(before.raisedBand, band);
  return { ...before, state: 'dismissed', raisedBand, dismissedAt: now, dismissedBy: by, dismissedBand: band };
}
