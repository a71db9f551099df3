import type { Selectable } from 'kysely';
import { looksLikeId } from '../../contract/evaluations.ts';
import type { EvaluationRecord, ListEvaluationsQuery } from '../../contract/evaluations.ts';
import { byCreation } from '../../platform/keyset/index.ts';
import type { EvaluationContext, QueueContext, RunItemPlace } from './evaluation-context.ts';
import type { EvaluationTables } from './tables.ts';
import type { Database } from '../../platform/postgres/index.ts';
import { dayMs } from '../../contract/durations.ts';

const newestFirst = byCreation('desc');

interface ListScope {
  projectId: string;
  oldestMs: number;
}

export interface EvaluationList {
  evaluations: EvaluationRecord[];
  nextCursor: string | null;
  queue: { waiting: number; limit: number; refusedLastDay: number };
}

/**
 * Lists runs of a project's evaluators, newest first, with the state of their queue.
 *
 * @param oldestMs the retention edge: older runs are left out
 * Errors: `invalid_request` for a cursor of another list.
 */
export async function listEvaluations(
  context: Pick<EvaluationContext, 'db' | 'clock' | 'jobs' | 'limits' | 'runItems'>,
  scope: ListScope,
  query: ListEvaluationsQuery,
): Promise<EvaluationList> {
  const { rows, nextCursor } = newestFirst.pageOf(await evaluationsSelect(context.db, scope, query).execute(), query.limit);
  const runItemIds = rows.flatMap((row) => row.run_item_id ?? []);
  const places = runItemIds.length === 0 ? [] : await context.runItems.places(scope.projectId, runItemIds);
  const placeOf = new Map(places.map((place) => [place.id, place]));
  const evaluations = rows.map((row) => toEvaluation(row, placeOf.get(row.run_item_id ?? '')));
  return { evaluations, nextCursor, queue: await queueState(context, scope.projectId) };
}

/** The query of {@link listEvaluations}: one row more than a page. */
export function evaluationsSelect(
  db: Database,
  { projectId, oldestMs }: ListScope,
  { limit, cursor, evaluator, status, targetType }: ListEvaluationsQuery,
) {
  let select = db
    .selectFrom('evaluations')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('created_at', '>=', new Date(oldestMs));
  if (evaluator !== undefined) {
    // Id and slug have an index each, and no slug looks like an id. PostgreSQL rejects NUL characters, which no slug contains.
    select = looksLikeId(evaluator)
      ? select.where('evaluator_id', '=', evaluator)
      : select.where('evaluator', '=', evaluator.replaceAll('\0', ''));
  }
  if (status !== undefined) select = select.where('status', '=', status);
  if (targetType !== undefined) select = select.where('target_type', '=', targetType);
  return newestFirst.select(select, { limit, cursor });
}

async function queueState(context: Pick<QueueContext, 'db' | 'clock' | 'jobs' | 'limits'>, projectId: string) {
  const { db, clock, jobs, limits } = context;
  const refused = await db
    .selectFrom('evaluation_refusals')
    .select((of) => of.fn.sum<string | null>('refused').as('refused'))
    .where('project_id', '=', projectId)
    .where('hour', '>', new Date(clock.now() - dayMs))
    .executeTakeFirst();
  return {
    waiting: await jobs.unfinished(db, projectId, limits.runItems + limits.online),
    limit: limits.online,
    refusedLastDay: Number(refused?.refused ?? 0),
  };
}

function toEvaluation(row: Selectable<EvaluationTables['evaluations']>, place: RunItemPlace | undefined): EvaluationRecord {
  return {
    id: row.id,
    evaluator: row.evaluator,
    evaluatorId: row.evaluator_id,
    target: {
      type: row.target_type,
      ...(row.trace_id === '' ? {} : { traceId: row.trace_id }),
      ...(row.span_id === '' ? {} : { spanId: row.span_id }),
      ...(row.session_id === '' ? {} : { sessionId: JSON.parse(row.session_id) as string }),
      ...(row.run_item_id === null ? {} : { runItemId: row.run_item_id }),
      ...(place && { datasetId: place.datasetId, runId: place.runId, datasetItemId: place.datasetItemId }),
    },
    status: row.status,
    score: row.score,
    passed: row.passed,
    comment: row.comment,
    error: row.error,
    attempts: row.attempts,
    usage: usageOf(row),
    createdAt: row.created_at.toISOString(),
    startedAt: row.started_at?.toISOString() ?? null,
    finishedAt: row.finished_at?.toISOString() ?? null,
  };
}

function usageOf(row: Selectable<EvaluationTables['evaluations']>): EvaluationRecord['usage'] {
  if (row.input_tokens === null && row.output_tokens === null) return null;
  return { inputTokens: row.input_tokens ?? 0, outputTokens: row.output_tokens ?? 0, costUsd: row.cost_usd };
}
