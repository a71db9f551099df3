import { closeCount, sampleMask } from '../figures/index.ts';
import type { Parts } from '../figures/index.ts';
import { sampledTracesSql, tracesSql } from './figures-sql.ts';

type Ask = <T>(sql: string, parameters?: Readonly<Record<string, unknown>>) => Promise<T[]>;

/** The number of distinct traces by {@link tracesSql}. */
interface FoundTraces {
  model: string;
  traces: number;
}

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
