import type { RangeQuery } from '../../contract/common.ts';
import type { PromptMetrics } from '../../contract/prompts.ts';
import { windowOf } from '../figures/index.ts';
import type { Tenant } from '../../platform/http/index.ts';
import { exact, ratio } from '../../platform/statistics/index.ts';
import { callsOfPromptSql, scoresOfPromptSql } from './prompt-metrics-sql.ts';
import type { PromptsContext } from './prompts-context.ts';

interface CallRow {
  version: number;
  calls: number;
  errors: number;
  finished: number;
  duration_sum: number;
  cost: number;
  unpriced: number;
  partly_priced: number;
}

interface ScoreRow {
  version: number;
  evals: number;
  score_sum: number;
}

/**
 * Calls, cost and scores of a prompt's versions over a range, newest first (docs/semantics.md, "Prompt metrics" and "Calls"). Counts calls
 * with its name and a version number, by start time; and scores, by their own time, of such calls and of traces whose calls used this
 * prompt version only. The prompt need not be stored.
 */
export async function promptMetrics(
  { clickhouse, clock }: Pick<PromptsContext, 'clickhouse' | 'clock'>,
  { projectId, plan }: Tenant,
  name: string,
  query: RangeQuery,
): Promise<PromptMetrics> {
  const { from, to, rows, oldestMs } = windowOf(query, plan, clock.now());
  const parameters = { name, from, to, rowsFrom: rows?.fromMs ?? from * 1000, rowsBefore: rows?.beforeMs ?? to * 1000 };
  const reader = clickhouse.forTenant({ projectId, oldestMs });
  const [calls, scores] = await Promise.all([
    reader.query<CallRow>(callsOfPromptSql, parameters),
    reader.query<ScoreRow>(scoresOfPromptSql, parameters),
  ]);
  const callsOf = new Map(calls.map((row) => [row.version, row]));
  const scoresOf = new Map(scores.map((row) => [row.version, row]));
  const versions = [...new Set([...callsOf.keys(), ...scoresOf.keys()])].toSorted((left, right) => right - left);
  return { versions: versions.map((version) => figures(version, callsOf.get(version), scoresOf.get(version))) };
}

function figures(version: number, called: CallRow | undefined, scored: ScoreRow | undefined): PromptMetrics['versions'][number] {
  const { calls = 0, errors = 0, finished = 0, duration_sum: durations = 0, cost = 0 } = called ?? {};
  const { unpriced = 0, partly_priced: partlyPriced = 0 } = called ?? {};
  const { evals = 0, score_sum: scores = 0 } = scored ?? {};
  return {
    version,
    calls,
    costUsd: exact(cost),
    unpricedCalls: unpriced,
    partlyPricedCalls: partlyPriced,
    avgLatencyMs: ratio(durations, finished, 0),
    errorRate: ratio(errors, calls, 0),
    avgScore: ratio(scores, evals, null),
    evalCount: evals,
  };
}
