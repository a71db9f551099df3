import { sql } from 'kysely';
import type { RunAggregates } from '../../contract/datasets.ts';
import type { Tenant } from '../../platform/http/index.ts';
import { readTraceFigures, readTraceScores } from '../traces/index.ts';
import type { DatasetsContext } from './datasets-context.ts';
import { didNotFail } from './tables.ts';

/** Items of a run that are looked at together, for what their traces say. */
const chunk = 2000;

/**
 * The figures of one run (contract section 7), from its items and, for what these leave out, from their traces. A trace's own scores
 * count for evaluators that have not scored the item itself.
 */
export async function aggregatesOf(context: DatasetsContext, tenant: Tenant, runId: string): Promise<RunAggregates> {
  const own = await ownFigures(context, runId);
  const scores = await ownScores(context, runId);
  const latencies = own.latencies;
  let { cost, failed } = own;
  for await (const items of tracedItems(context, runId)) {
    const traceIds = items.map((item) => item.trace_id);
    const figures = await readTraceFigures(context, tenant, traceIds);
    const ofTraces = await readTraceScores(context, tenant, traceIds);
    for (const item of items) {
      const trace = figures.get(item.trace_id);
      if (item.latency_ms === null && trace && trace.durationMs !== null) latencies.push(trace.durationMs);
      if (item.cost_usd === null) cost += trace?.costUsd ?? 0;
      if (item.error === null && trace?.failed) failed += 1;
      for (const { evaluator, score, passed } of ofTraces.get(item.trace_id) ?? []) {
        if (!item.evaluators.includes(evaluator))
          addScore(scores, evaluator, { sum: score, count: 1, passed: Number(passed === true), said: Number(passed !== null) });
      }
    }
  }
  const sorted = Float64Array.from(latencies).sort();
  return {
    itemCount: own.count,
    errorRate: own.count === 0 ? 0 : failed / own.count,
    latencyP50Ms: percentile(sorted, 0.5),
    latencyP95Ms: percentile(sorted, 0.95),
    costUsd: exact(cost),
    byEvaluator: [...scores]
      .toSorted(([left], [right]) => byCodePoint(left, right))
      .map(([evaluator, { sum, count, passed, said }]) => ({
        evaluator,
        avgScore: exact(sum / count),
        passRate: said === 0 ? null : passed / said,
        count,
      })),
  };
}

/** The value at rank floor(q * (n - 1)) (contract section 5); null of nothing. @param sorted ascending */
export function percentile(sorted: Float64Array, q: number): number | null {
  return sorted[Math.floor(q * (sorted.length - 1))] ?? null;
}

/** Names in the order of their code points (contract section 1); JavaScript's own is that of UTF-16 units. */
export function byCodePoint(left: string, right: string): number {
  return Buffer.compare(Buffer.from(left), Buffer.from(right));
}

/** Without the noise of binary fractions: 0.1 + 0.2 is 0.3. */
function exact(value: number): number {
  return Number(value.toPrecision(15));
}

async function ownFigures({ db }: DatasetsContext, runId: string) {
  const row = await db
    .selectFrom('dataset_run_items')
    .select([
      sql<number>`count(*)`.as('count'),
      sql<number>`count(*) FILTER (WHERE error <> ${didNotFail})`.as('failed'),
      sql<number | null>`sum(cost_usd)`.as('cost'),
      sql<number[]>`coalesce(array_agg(latency_ms) FILTER (WHERE latency_ms IS NOT NULL), '{}')`.as('latencies'),
    ])
    .where('run_id', '=', runId)
    .executeTakeFirstOrThrow();
  return { ...row, cost: row.cost ?? 0 };
}

interface ScoreSum {
  sum: number;
  count: number;
  /** Scores that passed, of those that say so. */
  passed: number;
  said: number;
}

async function ownScores({ db }: DatasetsContext, runId: string): Promise<Map<string, ScoreSum>> {
  const rows = await db
    .selectFrom('dataset_run_scores as s')
    .innerJoin('dataset_run_items as i', 'i.id', 's.run_item_id')
    .select([
      's.evaluator',
      sql<number>`sum(s.score)`.as('sum'),
      sql<number>`count(*)`.as('count'),
      sql<number>`count(*) FILTER (WHERE s.passed)`.as('passed'),
      sql<number>`count(s.passed)`.as('said'),
    ])
    .where('i.run_id', '=', runId)
    .groupBy('s.evaluator')
    .execute();
  return new Map(rows.map(({ evaluator, ...sums }) => [evaluator, sums]));
}

function addScore(scores: Map<string, ScoreSum>, evaluator: string, added: ScoreSum): void {
  const sums = scores.get(evaluator) ?? { sum: 0, count: 0, passed: 0, said: 0 };
  sums.sum += added.sum;
  sums.count += added.count;
  sums.passed += added.passed;
  sums.said += added.said;
  scores.set(evaluator, sums);
}

interface TracedItem {
  dataset_item_id: string;
  trace_id: string;
  latency_ms: number | null;
  cost_usd: number | null;
  /** As stored; null: it does not say whether it failed. */
  error: string | null;
  /** Who has scored the item itself. */
  evaluators: string[];
}

async function* tracedItems({ db }: DatasetsContext, runId: string): AsyncGenerator<TracedItem[]> {
  for (let after = '00000000-0000-0000-0000-000000000000'; ;) {
    const { rows } = await sql<TracedItem>`
      SELECT i.dataset_item_id, i.trace_id, i.latency_ms, i.cost_usd, i.error,
        ARRAY(SELECT s.evaluator FROM dataset_run_scores AS s WHERE s.run_item_id = i.id) AS evaluators
      FROM dataset_run_items AS i
      WHERE i.run_id = ${runId} AND i.trace_id IS NOT NULL AND i.dataset_item_id > ${after}
      ORDER BY i.dataset_item_id
      LIMIT ${chunk}`.execute(db);
    if (rows.length > 0) yield rows;
    if (rows.length < chunk) return;
    after = rows.at(-1)?.dataset_item_id ?? after;
  }
}
