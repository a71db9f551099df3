import type { ComparedItem, ComparedSide } from '../../api/wire.ts';
import { readSort } from '../../design/column.ts';
import type { Sort } from '../../design/column.ts';
import { jsonLine } from '../../format/deep-json.ts';

/** An item in two runs with its changes from a (baseline) to b (candidate). */
export interface ComparisonRow {
  compared: ComparedItem;
  /** b − a by evaluator, for evaluators that scored both. */
  deltas: ReadonlyMap<string, number>;
  /** The biggest regression. `share` is relative to the evaluator's range of scores, since scales differ. */
  worst: { evaluator: string; delta: number; share: number } | null;
}

/** The items of a comparison as rows. */
export function comparisonRows(items: readonly ComparedItem[]): ComparisonRow[] {
  const spans = spansOf(items);
  return items.map((compared) => {
    const deltas = deltasOf(compared);
    let worst: ComparisonRow['worst'] = null;
    for (const [evaluator, delta] of deltas) {
      const share = delta === 0 ? 0 : delta / (spans.get(evaluator) ?? 1);
      if (worst === null || share < worst.share) worst = { evaluator, delta, share };
    }
    return { compared, deltas, worst };
  });
}

/** The range of scores of each evaluator: maximum − minimum. */
function spansOf(items: readonly ComparedItem[]): Map<string, number> {
  const ends = new Map<string, { low: number; high: number }>();
  for (const { evaluator, score } of items.flatMap(({ a, b }) => [...(a?.scores ?? []), ...(b?.scores ?? [])])) {
    const { low, high } = ends.get(evaluator) ?? { low: score, high: score };
    ends.set(evaluator, { low: Math.min(low, score), high: Math.max(high, score) });
  }
  return new Map([...ends].map(([evaluator, { low, high }]) => [evaluator, high - low]));
}

function deltasOf({ a, b }: ComparedItem): Map<string, number> {
  const deltas = new Map<string, number>();
  for (const { evaluator, score } of a?.scores ?? []) {
    const other = b?.scores.find((one) => one.evaluator === evaluator);
    if (other) deltas.set(evaluator, other.score - score);
  }
  return deltas;
}

/** b − a of a measure; null unless both runs have it. */
export function measureDelta({ a, b }: ComparedItem, measure: 'latencyMs' | 'costUsd'): number | null {
  const left = a?.[measure] ?? null;
  const right = b?.[measure] ?? null;
  return left === null || right === null ? null : right - left;
}

/** Whether output or error differ between the runs. */
export function outputsDiffer({ a, b }: ComparedItem): boolean {
  const resultOf = (side: ComparedSide | null) => jsonLine(side && [side.output, side.error]);
  return resultOf(a) !== resultOf(b);
}

/** Parses the sort of a URL; biggest regression first by default. */
export function sortOf(sort: string | undefined): Sort {
  if (sort === undefined || sort === '') return { id: 'loss', descending: false };
  return readSort(sort);
}
