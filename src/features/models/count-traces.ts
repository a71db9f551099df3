import { sampledTracesSql, tracesSql } from './figures-sql.ts';
import type { Parts } from './figures-source.ts';

type Ask = <T>(sql: string, parameters?: Readonly<Record<string, unknown>>) => Promise<T[]>;

/** The number of distinct traces by {@link tracesSql}. */
interface FoundTraces {
  model: string;
  traces: number;
}

/** Maximum traces of a sample. A sample has at least half as many: its standard error is under 0.2 %. */
const sampleSize = 600_000;

/**
 * Results of {@link tracesSql} that are precise enough for docs/semantics.md, "Trace count": exact, or with a measured standard error of 0.1 %.
 * Between 30,000 and 55,000 the true count may have to be exact. Between 2 and 7 million the estimate may be 2 % too high.
 */
const close: ReadonlyArray<{ from: number; to: number }> = [
  { from: 0, to: 30_000 },
  { from: 55_000, to: 2_000_000 },
  { from: 7_000_000, to: Number.POSITIVE_INFINITY },
];

/**
 * Distinct traces by model: exact up to 50,000, else within 1 %. Where the sketch is not precise enough, the traces are counted in a second
 * query, all or a sample. A sample has the traces whose hash ends in zeros, so that every hour selects the same traces.
 */
export async function countTraces(ask: Ask, parts: Parts, oneModel: boolean): Promise<Map<string, number>> {
  const found = await ask<FoundTraces>(tracesSql(parts, oneModel));
  const counts = new Map(found.map(({ model, traces }) => [model, traces]));
  const again = found.filter(({ traces }) => !closeCount(traces));
  if (again.length === 0) return counts;
  const counted = await ask<FoundTraces & { mask: number }>(sampledTracesSql(parts, oneModel), {
    models: again.map(({ model }) => model),
    masks: again.map(({ traces }) => sampleMask(traces)),
  });
  for (const { model, traces, mask } of counted) counts.set(model, traces * (mask + 1));
  return counts;
}

/** Whether `count`, a result of `uniqCombined64` with 2^20 cells, is exact up to 50,000, else within 1 %. */
export function closeCount(count: number): boolean {
  return close.some(({ from, to }) => count >= from && count < to);
}

/** A mask of the low bits of hashes that reduces `count` distinct ones to a sample; the number of the sample times (mask + 1) is within 1 %. */
export function sampleMask(count: number): number {
  return count <= sampleSize ? 0 : 2 ** Math.ceil(Math.log2(count / sampleSize)) - 1;
}
