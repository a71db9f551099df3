import type { ComparedItem, ComparedSide } from '../../api/parts.ts';
import { readSort } from '../../design/column.ts';
import type { Sort } from '../../design/column.ts';
import { jsonLine } from '../../format/deep-json.ts';
import type { Scale } from './score-scales.ts';

/**
 * How an item fares in the candidate, compared with the baseline. `unscored`: the outputs differ, and no evaluator scored both. `single`: it is in one
 * run only.
 */
export const outcomes = ['failing', 'regressed', 'improved', 'unscored', 'unchanged', 'single'] as const;
export type Outcome = (typeof outcomes)[number];

/** An item in two runs with its changes from a (baseline) to b (candidate). */
export interface ComparisonRow {
  compared: ComparedItem;
  /** b − a by evaluator, for evaluators that scored both. */
  deltas: ReadonlyMap<string, number>;
  /** The biggest regression, relative to the evaluator's scale; null without one. */
  worst: { evaluator: string; delta: number; scale: Scale } | null;
  outcome: Outcome;
  /** Whether output or error differ between the runs. */
  differs: boolean;
  /** The order of the list, lowest first. Null for an item in one run. */
  rank: number | null;
}

interface Comparison {
  /** See scoreScales. */
  scales: ReadonlyMap<string, Scale>;
  /** Compares by this evaluator only; by all of them if undefined. */
  evaluator?: string | undefined;
}

/** The items of a comparison as rows. */
export function comparisonRows(items: readonly ComparedItem[], { scales, evaluator }: Comparison): ComparisonRow[] {
  return items.map((compared) => {
    const { a, b } = compared;
    const deltas = deltasOf(compared);
    const differs = outputsDiffer(compared);
    if (a === null || b === null) return { compared, deltas, worst: null, outcome: 'single', differs, rank: null };
    let [low, high] = [0, 0];
    let worst: ComparisonRow['worst'] = null;
    // Over all evaluators the scores of identical outputs differ by latency, cost and the judge's noise alone.
    const counted = differs || evaluator !== undefined ? [...deltas] : [];
    for (const [name, delta] of counted) {
      if (evaluator !== undefined && name !== evaluator) continue;
      const scale = scales.get(name) ?? [0, 1];
      const share = changeOf(compared, name, delta === 0 ? 0 : delta / (scale[1] - scale[0]));
      if (share < low) worst = { evaluator: name, delta, scale };
      low = Math.min(low, share);
      high = Math.max(high, share);
    }
    const isScored = evaluator === undefined ? deltas.size > 0 : deltas.has(evaluator);
    const outcome = outcomeOf(a, b, { low, high, isUnscored: differs && !isScored });
    return { compared, deltas, worst, outcome, differs, rank: rankOf(outcome, differs, outcome === 'regressed' ? low : high) };
  });
}

/**
 * How an evaluator's score changes an item: by its verdicts, as in the comparison of batch runs, where it gave one in both runs; else by the score.
 *
 * @param share the change of the score, relative to the scale
 */
function changeOf({ a, b }: ComparedItem, evaluator: string, share: number): number {
  const verdictOf = (side: ComparedSide | null) => side?.scores.find((one) => one.evaluator === evaluator)?.passed ?? null;
  const [before, now] = [verdictOf(a), verdictOf(b)];
  if (before === null || now === null) return share;
  if (before === now) return 0;
  // The size orders the list; a verdict that turned against the score still counts.
  const size = Math.abs(share) || Number.EPSILON;
  return now ? size : -size;
}

interface Found {
  /** The lowest and highest change, relative to the scales; 0 without a lower or higher one. */
  low: number;
  high: number;
  /** The outputs differ, and there are no two scores to compare. */
  isUnscored: boolean;
}

function outcomeOf(a: ComparedSide, b: ComparedSide, { low, high, isUnscored }: Found): Outcome {
  if (a.error === null && b.error !== null) return 'failing';
  if (low < 0) return 'regressed';
  if (high > 0 || (a.error !== null && b.error === null)) return 'improved';
  return isUnscored && b.error === null ? 'unscored' : 'unchanged';
}

/**
 * New errors are the greatest loss. Regressions follow by size, those with identical outputs after those with different ones; then items
 * without scores, unchanged ones, identical ones last, and improvements.
 *
 * @param share the change relative to the scale, −1 to 1
 */
function rankOf(outcome: Outcome, differs: boolean, share: number): number {
  if (outcome === 'failing') return -4;
  if (outcome === 'unscored') return -0.5;
  if (outcome === 'regressed') return (differs ? -2 : -1) + share;
  return outcome === 'improved' ? 1 + share : differs ? 0 : 0.5;
}

function deltasOf({ a, b }: ComparedItem): Map<string, number> {
  const deltas = new Map<string, number>();
  for (const { evaluator, score } of a?.scores ?? []) {
    const other = b?.scores.find((one) => one.evaluator === evaluator);
    if (other) deltas.set(evaluator, other.score - score);
  }
  return deltas;
}

/** b − a of a measure; null unless both runs have it, and for a cost in which calls are missing. */
export function measureDelta({ a, b }: ComparedItem, measure: 'latencyMs' | 'costUsd'): number | null {
  if (measure === 'costUsd' && [a, b].some(lacksCalls)) return null;
  const left = a?.[measure] ?? null;
  const right = b?.[measure] ?? null;
  return left === null || right === null ? null : right - left;
}

function lacksCalls(side: ComparedSide | null): boolean {
  return side !== null && side.unpricedCalls + side.partlyPricedCalls > 0;
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
