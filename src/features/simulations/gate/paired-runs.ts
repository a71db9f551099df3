import type { ItemLatencies } from './bootstrap.ts';
import type { PairedRuns, RunSide } from './statistics.ts';

/** The figures of one dataset item in a run, over its repetitions. */
interface ItemFigures {
  repetitions: number;
  passed: number;
  errors: number;
  cost: number;
  priced: boolean;
  latencies: number[];
}

/** Two runs by the dataset items that both have. */
export interface ComparedRuns {
  /** Without the items of which every repetition is an error in both. */
  runs: PairedRuns;
  /** Dataset items in both. */
  compared: number;
  /** Dataset items in one run alone. */
  onlyInOne: number;
  /** Items of which every repetition passed in the baseline, and not in the candidate; in the candidate's order. */
  regressed: string[];
}

/** Pairs the items of two completed runs. Pure. @param pages of {@link readRun} */
export function comparedRuns(baselinePages: readonly string[], candidatePages: readonly string[]): ComparedRuns {
  const baseline = figuresOf(baselinePages);
  const candidate = figuresOf(candidatePages);
  const [then, now]: [ItemFigures[], ItemFigures[]] = [[], []];
  const regressed: string[] = [];
  let compared = 0;
  for (const [id, after] of candidate) {
    const before = baseline.get(id);
    if (!before) continue;
    compared += 1;
    // Errors on both sides say nothing of either run.
    if (before.errors === before.repetitions && after.errors === after.repetitions) continue;
    then.push(before);
    now.push(after);
    if (before.passed === before.repetitions && after.passed < after.repetitions) regressed.push(id);
  }
  return {
    runs: { baseline: sideOf(then), candidate: sideOf(now) },
    compared,
    onlyInOne: baseline.size + candidate.size - 2 * compared,
    regressed,
  };
}

/** By dataset item. */
function figuresOf(pages: readonly string[]): Map<string, ItemFigures> {
  const items = new Map<string, ItemFigures>();
  for (const line of pages.flatMap((page) => page.split('\n'))) {
    const [id = '', status, latency = '', cost = ''] = line.split(' ');
    let item = items.get(id);
    if (!item) items.set(id, (item = { repetitions: 0, passed: 0, errors: 0, cost: 0, priced: false, latencies: [] }));
    item.repetitions += 1;
    if (status === 'p') item.passed += 1;
    if (status === 'e') item.errors += 1;
    if (latency !== '') item.latencies.push(Number(latency));
    item.cost += Number(cost);
    item.priced ||= cost !== '';
  }
  return items;
}

function sideOf(items: readonly ItemFigures[]): RunSide {
  return {
    passed: Float64Array.from(items, ({ passed, repetitions }) => passed / repetitions),
    errors: Float64Array.from(items, ({ errors, repetitions }) => errors / repetitions),
    cost: Float64Array.from(items, ({ cost, repetitions }) => cost / repetitions),
    priced: items.some(({ priced }) => priced),
    latencies: latenciesOf(items),
  };
}

function latenciesOf(items: readonly ItemFigures[]): ItemLatencies {
  const offsets = new Int32Array(items.length + 1);
  let end = 0;
  for (const [index, { latencies }] of items.entries()) offsets[index + 1] = end += latencies.length;
  return { values: Float64Array.from(items.flatMap(({ latencies }) => latencies)), offsets };
}
