import type { FrontierPoint, ModelDetail } from '../../contract/models.ts';
import { exact, ratio } from '../../platform/statistics/index.ts';
import type { QualityMean } from './figures-store.ts';

interface ModelCost {
  model: string;
  calls: number;
  cost: number;
  unpriced: number;
  partly_priced: number;
}

/**
 * Cost and quality of one model, and of every other model compared with it (docs/semantics.md, "Frontier").
 *
 * @param thisModel null when it has no calls
 * @param others sorted by calls, descending
 */
export function frontierOf(
  thisModel: ModelCost | null,
  others: readonly ModelCost[],
  scores: ReadonlyMap<string, QualityMean>,
): ModelDetail['frontier'] {
  const pointOf = (cost: ModelCost) => frontierPoint(cost, scores.get(cost.model));
  const reference = thisModel && pointOf(thisModel);
  return {
    thisModel: reference,
    points: others.map((other) => ({ ...pointOf(other), ...comparison(pointOf(other), reference) })),
  };
}

function frontierPoint(
  { model, calls, cost, unpriced, partly_priced: partlyPricedCalls }: ModelCost,
  scores: QualityMean | undefined,
): FrontierPoint {
  return {
    model,
    callCount: calls,
    avgCostUsd: ratio(cost, calls, 0),
    totalCost: exact(cost),
    unpricedCalls: unpriced,
    partlyPricedCalls,
    avgEvalScore: scores ? ratio(scores.quality_sum, scores.quality_evals, null) : null,
    evalCount: scores?.quality_evals ?? 0,
  };
}

function comparison(
  point: FrontierPoint,
  reference: FrontierPoint | null,
): Pick<FrontierPoint, 'cheaper' | 'costDeltaPct' | 'qualityDelta'> {
  if (reference === null) return { cheaper: false, costDeltaPct: null, qualityDelta: null };
  return {
    cheaper: point.avgCostUsd < reference.avgCostUsd,
    costDeltaPct: ratio(reference.avgCostUsd - point.avgCostUsd, point.avgCostUsd, null),
    qualityDelta:
      reference.avgEvalScore === null || point.avgEvalScore === null ? null : exact(point.avgEvalScore - reference.avgEvalScore),
  };
}
