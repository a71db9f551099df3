import type { ListedModel } from '../api/parts.ts';
import type { FrontierPoint } from '../api/service.ts';
import { formatScore, formatShare } from '../format/number-format.ts';

type Deltas = Pick<FrontierPoint, 'costDeltaPct' | 'qualityDelta'>;

/**
 * Describes another model relative to this one: `94% cheaper, 0.11 lower quality`.
 *
 * @param unpriced one of the two costs is unknown
 */
export function comparisonLabel({ costDeltaPct, qualityDelta }: Deltas, unpriced = false): string {
  return `${costLabel(unpriced ? null : (costDeltaPct ?? null))}, ${qualityLabel(qualityDelta ?? null)}`;
}

/** @param delta cost of this model relative to the other: this / other − 1 */
function costLabel(delta: number | null): string {
  if (delta === null || delta <= -1) return 'cost not comparable';
  const other = 1 / (1 + delta) - 1;
  if (Math.abs(other) < 0.005) return 'same cost';
  if (other >= 1) return `${formatScore(Number((1 + other).toPrecision(2)))}× the cost`;
  return other > 0 ? `${formatShare(other)} more expensive` : `${formatShare(-other)} cheaper`;
}

/** @param delta score of the other model minus the score of this one */
function qualityLabel(delta: number | null): string {
  if (delta === null) return 'quality not comparable';
  if (Math.abs(delta) < 0.005) return 'same quality';
  return delta > 0 ? `${formatScore(delta)} higher quality` : `${formatScore(-delta)} lower quality`;
}

type Listed = Pick<ListedModel, 'avg_cost_per_call' | 'avg_eval_score' | 'total_calls' | 'unpriced_calls'>;

const isUnpriced = ({ unpriced_calls: unpriced, total_calls: calls }: Listed) => unpriced === calls;

/** Describes another model of the list of models relative to one, as {@link comparisonLabel}. */
export function listedComparison(one: Listed, other: Listed): string {
  const { avg_cost_per_call: cost, avg_eval_score: score } = other;
  const deltas = {
    costDeltaPct: cost === 0 ? null : one.avg_cost_per_call / cost - 1,
    qualityDelta: one.avg_eval_score === null || score === null ? null : score - one.avg_eval_score,
  };
  return comparisonLabel(deltas, isUnpriced(one) || isUnpriced(other));
}

/** What providers append to the name of a dated snapshot: `-2024-08-06`, `-20250929`, `@20250929`. */
const snapshotDate = /^[-@](?:\d{4}-\d{2}-\d{2}|\d{8})$/;

/**
 * The called model that a catalogue's replacement names: the same name, or the most called dated snapshot of it.
 *
 * @returns null if the replacement is not called
 */
export function calledReplacement<Model extends Pick<ListedModel, 'model' | 'total_calls'>>(
  models: readonly Model[],
  replacement: string,
): Model | null {
  const exact = models.find(({ model }) => model === replacement);
  if (exact) return exact;
  const snapshots = models.filter(
    ({ model }) => model.startsWith(replacement) && snapshotDate.test(model.slice(replacement.length)),
  );
  return snapshots.toSorted((left, right) => right.total_calls - left.total_calls)[0] ?? null;
}
