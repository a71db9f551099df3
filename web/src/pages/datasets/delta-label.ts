import type { EvaluatorDelta } from '../../api/parts.ts';
import { formatDelta } from '../../format/delta-format.ts';

export type Verdict = 'better' | 'worse' | 'unclear' | 'same' | 'unknown';

/** Whether b is better than a: whether the confidence interval is entirely on one side of zero. */
export function verdictOf({ meanDelta, ciLow, ciHigh }: EvaluatorDelta): Verdict {
  if (meanDelta === null || ciLow === null || ciHigh === null) return 'unknown';
  if (ciLow === 0 && ciHigh === 0) return 'same';
  if (ciLow > 0) return 'better';
  return ciHigh < 0 ? 'worse' : 'unclear';
}

const verdictLabels = { better: 'Better', worse: 'Worse', unclear: 'No clear difference' } as const;

/** A comparison by one evaluator: `Better: +0.08 (95% CI +0.02 to +0.14)`. */
export function deltaLabel(delta: EvaluatorDelta): string {
  const { meanDelta, ciLow, ciHigh } = delta;
  const verdict = verdictOf(delta);
  if (verdict === 'unknown' || meanDelta === null || ciLow === null || ciHigh === null) return 'No items scored in both runs';
  if (verdict === 'same') return 'Unchanged';
  return `${verdictLabels[verdict]}: ${formatDelta(meanDelta)} (95% CI ${formatDelta(ciLow)} to ${formatDelta(ciHigh)})`;
}

const ranks: Readonly<Record<Verdict, number>> = { worse: 0, better: 1, unclear: 2, same: 3, unknown: 4 };

/** Sorts evaluators by verdict: clear differences first. */
export function byVerdict(deltas: readonly EvaluatorDelta[]): EvaluatorDelta[] {
  return deltas.toSorted((left, right) => ranks[verdictOf(left)] - ranks[verdictOf(right)]);
}
