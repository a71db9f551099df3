import type { FrontierPoint } from '../../api/service.ts';
import type { Point, ScatterChart } from '../../design/chart-model.ts';
import { formatScore, formatUsdPrecise } from '../../format/number-format.ts';
import { perCall } from './cost-measures.ts';
import type { CostMeasure } from './cost-measures.ts';

/** The Pareto frontier: points ordered by cost (x), each with a higher quality (y) than all cheaper ones. */
export function paretoLine<Placed extends Pick<Point, 'x' | 'y'>>(points: readonly Placed[]): Placed[] {
  const sorted = points.toSorted((left, right) => left.x - right.x || right.y - left.y);
  const line: Placed[] = [];
  for (const point of sorted) if (point.y > (line.at(-1)?.y ?? Number.NEGATIVE_INFINITY)) line.push(point);
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
  measure: CostMeasure = perCall,
): ScatterChart | null {
  const all = (thisModel ? [thisModel, ...points] : [...points])
    .filter(({ model }) => !unpriced.has(model))
    .flatMap((point): Point[] => {
      const x = measure.costOf(point);
      if (point.avgEvalScore === null || x === null) return [];
      return [{ name: point.model, x, y: point.avgEvalScore, marked: point.model === thisModel?.model }];
    });
  if (all.length === 0) return null;
  const line = paretoLine(all);
  return {
    kind: 'scatter',
    title: 'Cost and quality',
    unit: measure.unit,
    x: { name: measure.name, format: formatUsdPrecise },
    y: { name: 'Mean score', format: formatScore, ...(all.every(({ y }) => y <= 1) ? { limit: 1 } : {}) },
    points: all,
    // A single point is no line.
    ...(line.length < 2 ? {} : { line: { name: 'Best quality at each cost', points: line } }),
  };
}
