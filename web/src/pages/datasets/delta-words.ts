import type { EvaluatorDelta } from '../../api/wire.ts';
import { formatDistance } from '../../format/delta-format.ts';

export type Verdict = 'better' | 'worse' | 'unclear' | 'same' | 'unknown';

/** Whether b is better than a beyond doubt: whether the whole interval is on one side of zero. */
export function verdictOf({ meanDelta, ciLow, ciHigh }: EvaluatorDelta): Verdict {
  if (meanDelta === null || ciLow === null || ciHigh === null) return 'unknown';
  if (ciLow === 0 && ciHigh === 0) return 'same';
  if (ciLow > 0) return 'better';
  return ciHigh < 0 ? 'worse' : 'unclear';
}

/** A comparison by one evaluator in words: `b is better by 0.08, between 0.02 and 0.14`. */
export function deltaInWords(delta: EvaluatorDelta): string {
  const { meanDelta, ciLow, ciHigh } = delta;
  const verdict = verdictOf(delta);
  if (meanDelta === null || ciLow === null || ciHigh === null) return 'no item was scored in both runs';
  if (verdict === 'same') return 'a and b score the same';
  const mean =
    meanDelta === 0 ? 'the means are equal' : `b is ${meanDelta > 0 ? 'better' : 'worse'} by ${formatDistance(meanDelta)}`;
  if (verdict === 'unclear') return `no clear difference: ${mean}, between ${sideOf(ciLow)} and ${sideOf(ciHigh)}`;
  const [near, far] = [Math.abs(ciLow), Math.abs(ciHigh)].toSorted((left, right) => left - right);
  return `${mean}, between ${formatDistance(near ?? 0)} and ${formatDistance(far ?? 0)}`;
}

function sideOf(value: number): string {
  if (value === 0) return 'none';
  return `${formatDistance(value)} ${value > 0 ? 'better' : 'worse'}`;
}

/** Where the axis of an interval ends on both sides: the next 1, 2 or 5 times a power of ten. */
export function axisEnd({ meanDelta, ciLow, ciHigh }: EvaluatorDelta): number {
  const largest = Math.max(...[meanDelta, ciLow, ciHigh].map((value) => Math.abs(value ?? 0)));
  if (largest === 0) return 1;
  const power = 10 ** Math.floor(Math.log10(largest));
  const step = [1, 2, 5, 10].find((one) => one * power >= largest * 0.999_999) ?? 10;
  return Number((step * power).toPrecision(1));
}

const ranks: Readonly<Record<Verdict, number>> = { worse: 0, better: 1, unclear: 2, same: 3, unknown: 4 };

/** The evaluators, those first that see a clear difference. */
export function byClarity(deltas: readonly EvaluatorDelta[]): EvaluatorDelta[] {
  return deltas.toSorted((left, right) => ranks[verdictOf(left)] - ranks[verdictOf(right)]);
}
