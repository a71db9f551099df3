import type { ComparedItem, ComparedSide } from '../../api/wire.ts';
import { readSort } from '../../design/column.ts';
import type { Sort } from '../../design/column.ts';
import { jsonLine } from '../../format/deep-json.ts';

/** An item in two runs, with what changed from a to b. */
export interface ComparisonRow {
  compared: ComparedItem;
  /** b less a, by evaluator, of those that scored both. */
  deltas: ReadonlyMap<string, number>;
  /** The change that is the largest loss; `share` is its part of the span of the evaluator's scores, since scales differ. */
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

/** How far the scores of each evaluator lie apart. */
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

/** b less a of a measure; null unless both have it. */
export function measureDelta({ a, b }: ComparedItem, measure: 'latencyMs' | 'costUsd'): number | null {
  const left = a?.[measure] ?? null;
  const right = b?.[measure] ?? null;
  return left === null || right === null ? null : right - left;
}

/** Whether what came of an item is not the same. */
export function outputsDiffer({ a, b }: ComparedItem): boolean {
  const told = (side: ComparedSide | null) => jsonLine(side && [side.output, side.error]);
  return told(a) !== told(b);
}

/** The order of a URL; the largest loss first unless it says another. */
export function sortOf(sort: string | undefined): Sort {
  if (sort === undefined || sort === '') return { id: 'loss', descending: false };
  return readSort(sort);
}
