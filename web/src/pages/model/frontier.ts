import type { FrontierPoint } from '../../api/wire.ts';
import type { ScatterChart } from '../../design/chart-model.ts';
import { formatScore, formatShare, formatUsd } from '../../format/number-format.ts';

/** A point whose cost and quality are both known. */
interface Placed extends FrontierPoint {
  avgEvalScore: number;
}

const isPlaced = (point: FrontierPoint): point is Placed => point.avgEvalScore !== null;

/** The models that none beats in both: from the cheapest on, each next one has a better quality. */
export function paretoLine(points: readonly FrontierPoint[]): Placed[] {
  const sorted = points
    .filter(isPlaced)
    .toSorted((left, right) => left.avgCostUsd - right.avgCostUsd || right.avgEvalScore - left.avgEvalScore);
  const line: Placed[] = [];
  for (const point of sorted) if (point.avgEvalScore > (line.at(-1)?.avgEvalScore ?? Number.NEGATIVE_INFINITY)) line.push(point);
  return line;
}

/**
 * Cost against quality of every model that has both; null when none has.
 *
 * @param unpriced models whose calls have no known price: they would stand at $0, and be the best of all
 */
export function frontierChart(
  thisModel: FrontierPoint | null,
  points: readonly FrontierPoint[],
  unpriced: ReadonlySet<string>,
): ScatterChart | null {
  const all = (thisModel ? [thisModel, ...points] : [...points]).filter(isPlaced).filter(({ model }) => !unpriced.has(model));
  if (all.length === 0) return null;
  const toPoint = (point: Placed) => ({
    name: point.model,
    x: point.avgCostUsd,
    y: point.avgEvalScore,
    marked: point.model === thisModel?.model,
  });
  return {
    kind: 'scatter',
    title: 'Cost and quality',
    unit: 'mean score against mean cost of a call',
    x: { name: 'Cost of a call', format: formatUsd },
    y: { name: 'Mean score', format: formatScore },
    points: all.map(toPoint),
    line: { name: 'Best quality at each cost', points: paretoLine(all).map(toPoint) },
  };
}

/**
 * How this model stands to another one, in words: `costs 40 % more and scores 0.05 higher`.
 *
 * @param unpriced what one of the two costs is not known
 */
export function deltaInWords({ costDeltaPct, qualityDelta }: FrontierPoint, unpriced = false): string {
  const cost = costInWords(unpriced ? null : (costDeltaPct ?? null));
  const quality = qualityInWords(qualityDelta ?? null);
  return `${cost} and ${quality}`;
}

function costInWords(delta: number | null): string {
  if (delta === null) return 'has no cost to compare';
  if (Math.abs(delta) < 0.005) return 'costs the same';
  if (delta >= 1) return `costs ${formatScore(Number((1 + delta).toPrecision(2)))} times as much`;
  return delta > 0 ? `costs ${formatShare(delta)} more` : `costs ${formatShare(-delta)} less`;
}

/** The service gives the other model's score minus this one's. */
function qualityInWords(delta: number | null): string {
  if (delta === null) return 'has no quality to compare';
  if (Math.abs(delta) < 0.005) return 'scores the same';
  return delta > 0 ? `scores ${formatScore(delta)} lower` : `scores ${formatScore(-delta)} higher`;
}
