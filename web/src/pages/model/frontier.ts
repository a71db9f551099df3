import type { FrontierPoint } from '../../api/wire.ts';
import type { ScatterChart } from '../../design/chart-model.ts';
import { formatScore, formatShare, formatUsdPrecise } from '../../format/number-format.ts';

/** A point with known cost and quality. */
interface Placed extends FrontierPoint {
  avgEvalScore: number;
}

const isPlaced = (point: FrontierPoint): point is Placed => point.avgEvalScore !== null;

/** The Pareto frontier: models ordered by cost, each with a higher quality than all cheaper ones. */
export function paretoLine(points: readonly FrontierPoint[]): Placed[] {
  const sorted = points
    .filter(isPlaced)
    .toSorted((left, right) => left.avgCostUsd - right.avgCostUsd || right.avgEvalScore - left.avgEvalScore);
  const line: Placed[] = [];
  for (const point of sorted) if (point.avgEvalScore > (line.at(-1)?.avgEvalScore ?? Number.NEGATIVE_INFINITY)) line.push(point);
  return line;
}

/**
 * Quality over cost for all models with both; null if there is none.
 *
 * @param unpriced models without a price, which are excluded: their cost would appear as $0
 */
export function frontierChart(
  thisModel: FrontierPoint | null,
  points: readonly FrontierPoint[],
  unpriced: ReadonlySet<string>,
): ScatterChart | null {
  const all = (thisModel ? [thisModel, ...points] : [...points]).filter(isPlaced).filter(({ model }) => !unpriced.has(model));
  if (all.length === 0) return null;
  const line = paretoLine(all);
  const toPoint = (point: Placed) => ({
    name: point.model,
    x: point.avgCostUsd,
    y: point.avgEvalScore,
    marked: point.model === thisModel?.model,
  });
  return {
    kind: 'scatter',
    title: 'Cost and quality',
    unit: 'mean score by mean cost per call',
    x: { name: 'Cost per call', format: formatUsdPrecise },
    y: { name: 'Mean score', format: formatScore, ...(all.every(({ avgEvalScore }) => avgEvalScore <= 1) ? { limit: 1 } : {}) },
    points: all.map(toPoint),
    // A single point is no line.
    ...(line.length < 2 ? {} : { line: { name: 'Best quality at each cost', points: line.map(toPoint) } }),
  };
}

/**
 * Describes another model relative to this one: `94% cheaper, 0.11 lower quality`.
 *
 * @param unpriced one of the two costs is unknown
 */
export function comparisonLabel({ costDeltaPct, qualityDelta }: FrontierPoint, unpriced = false): string {
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
