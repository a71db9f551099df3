import { sql } from 'kysely';
import type { RunAggregates } from '../../contract/datasets.ts';
import type { Tenant } from '../../platform/http/index.ts';
import { exact, percentile, ratio } from '../../platform/statistics/index.ts';
import { compareCodePoints } from '../../platform/text/index.ts';
import { readTraceFigures, readTraceScores } from '../traces/index.ts';
import type { DatasetsContext } from './datasets-context.ts';
import { didNotFail } from './tables.ts';

/** Run items in one query for their traces. */
const chunk = 2000;

/**
 * The figures of one run (docs/semantics.md, "Run aggregates"), from its items and, for fields that these omit, from their traces. Scores
 * of a trace count for evaluators that have not scored the item itself.
 */
export async function aggregatesOf(context: DatasetsContext, tenant: Tenant, runId: string): Promise<RunAggregates> {
  const own = await ownFigures(context, runId);
  const scores = await ownScores(context, runId);
  const unscored = await unscoredOf(context, runId);
  const latencies = own.latencies;
  const missing = { unpricedCalls: 0, partlyPricedCalls: 0 };
  let { cost, failed } = own;
  for await (const items of tracedItems(context, runId)) {
    const traceIds = items.map((item) => item.trace_id);
    const figures = await readTraceFigures(context, tenant, traceIds);
    const ofTraces = await readTraceScores(context, tenant, traceIds);
    for (const item of items) {
      const trace = figures.get(item.trace_id);
      if (item.latency_ms === null && trace && trace.durationMs !== null) latencies.push(trace.durationMs);
      if (item.cost_usd === null && trace) {
        cost += trace.costUsd;
        missing.unpricedCalls += trace.unpricedCalls;
        missing.partlyPricedCalls += trace.partlyPricedCalls;
      }
      if (item.error === null && trace?.failed) failed += 1;
      for (const { evaluator, score, passed } of ofTraces.get(item.trace_id) ?? []) {
        if (!item.evaluators.includes(evaluator))
          addScore(scores, evaluator, { sum: score, count: 1, passed: Number(passed === true), marked: Number(passed !== null) });
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
    ...missing,
    byEvaluator: [...new Set([...scores.keys(), ...unscored.keys()])].toSorted(compareCodePoints).map((evaluator) => {
      const { sum, count, passed, marked } = scores.get(evaluator) ?? noScores;
      return {
        evaluator,
        avgScore: ratio(sum, count, null),
        passRate: marked === 0 ? null : passed / marked,
        count,
        ...(unscored.get(evaluator) ?? { failed: 0, skipped: 0, waiting: 0 }),
      };
    }),
  };
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
  /** Passed scores, and scores that are marked as passed or failed. */
  passed: number;
  marked: number;
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
      sql<number>`count(s.passed)`.as('marked'),
    ])
    .where('i.run_id', '=', runId)
    .groupBy('s.evaluator')
    .execute();
  return new Map(rows.map(({ evaluator, ...sums }) => [evaluator, sums]));
}

const noScores: ScoreSum = { sum: 0, count: 0, passed: 0, marked: 0 };

interface Unscored {
  failed: number;
  skipped: number;
  waiting: number;
}

/** Items without a score of an evaluator, by how its latest evaluation of them has ended. */
async function unscoredOf({ db }: DatasetsContext, runId: string): Promise<Map<string, Unscored>> {
  const { rows } = await sql<Unscored & { evaluator: string }>`
    SELECT evaluator, count(*) FILTER (WHERE status = 'failed') AS failed, count(*) FILTER (WHERE status = 'skipped') AS skipped,
      count(*) FILTER (WHERE status IN ('queued', 'running')) AS waiting
    FROM (
      SELECT DISTINCT ON (e.run_item_id, e.evaluator_id) e.evaluator, e.status, e.run_item_id
      FROM dataset_run_items AS i JOIN evaluations AS e ON e.run_item_id = i.id
      WHERE i.run_id = ${runId}::uuid
      ORDER BY e.run_item_id, e.evaluator_id, e.created_at DESC, e.id DESC
    ) AS latest
    WHERE NOT EXISTS (SELECT 1 FROM dataset_run_scores AS s WHERE s.run_item_id = latest.run_item_id AND s.evaluator = latest.evaluator)
    GROUP BY evaluator`.execute(db);
  return new Map(rows.map(({ evaluator, failed, skipped, waiting }) => [evaluator, { failed, skipped, waiting }]));
}

function addScore(scores: Map<string, ScoreSum>, evaluator: string, added: ScoreSum): void {
  const sums = scores.get(evaluator) ?? { sum: 0, count: 0, passed: 0, marked: 0 };
  sums.sum += added.sum;
  sums.count += added.count;
  sums.passed += added.passed;
  sums.marked += added.marked;
  scores.set(evaluator, sums);
}

interface TracedItem {
  dataset_item_id: string;
  trace_id: string;
  latency_ms: number | null;
  cost_usd: number | null;
  /** As stored; null when the run item does not say whether it failed. */
  error: string | null;
  /** Evaluators that have scored the item itself. */
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
