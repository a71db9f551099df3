import { sql } from 'kysely';
import type { Selectable } from 'kysely';
import type { EvaluationRecord, ListEvaluationsQuery } from '../../contract/evaluations.ts';
import { decodeCursor, pageOf } from '../../contract/page.ts';
import type { QueueContext } from './evaluation-context.ts';
import { waitingIn } from './queue/enqueue.ts';
import type { EvaluationTables } from './tables.ts';

const dayMs = 86_400_000;
const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export interface EvaluationList {
  evaluations: EvaluationRecord[];
  nextCursor: string | null;
  queue: { waiting: number; limit: number; refusedLastDay: number };
}

/**
 * Runs of a project's evaluators, newest first, with the state of their queue.
 *
 * @param oldestMs the plan's retention: runs of before are not shown
 * Errors: `invalid_request` for a cursor of another list.
 */
export async function listEvaluations(
  context: Pick<QueueContext, 'db' | 'clock' | 'limits'>,
  { projectId, oldestMs }: { projectId: string; oldestMs: number },
  { limit, cursor, evaluator, status, targetType }: ListEvaluationsQuery,
): Promise<EvaluationList> {
  const { db } = context;
  const after = decodeCursor(cursor);
  let select = db
    .selectFrom('evaluations')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('created_at', '>=', new Date(oldestMs));
  if (evaluator !== undefined) {
    const id = evaluator.toLowerCase();
    const slug = evaluator.replaceAll('\0', '');
    select = select.where((where) =>
      uuidPattern.test(id)
        ? where.or([where('evaluator_id', '=', id), where('evaluator', '=', slug)])
        : where('evaluator', '=', slug),
    );
  }
  if (status !== undefined) select = select.where('status', '=', status);
  if (targetType !== undefined) select = select.where('target_type', '=', targetType);
  if (after) select = select.where(sql<boolean>`(created_at, id) < (${after.createdAt}::timestamptz, ${after.id}::uuid)`);
  const rows = await select
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute();
  const { items, nextCursor } = pageOf(rows.map(toEvaluation), limit);
  return { evaluations: items, nextCursor, queue: await queueState(context, projectId) };
}

async function queueState({ db, clock, limits }: Pick<QueueContext, 'db' | 'clock' | 'limits'>, projectId: string) {
  const refused = await db
    .selectFrom('evaluation_refusals')
    .select((of) => of.fn.sum<string | null>('refused').as('refused'))
    .where('project_id', '=', projectId)
    .where('hour', '>', new Date(clock.now() - dayMs))
    .executeTakeFirst();
  return {
    waiting: await waitingIn(db, projectId, limits.runItems + limits.online),
    limit: limits.online,
    refusedLastDay: Number(refused?.refused ?? 0),
  };
}

function toEvaluation(row: Selectable<EvaluationTables['evaluations']>): EvaluationRecord {
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
