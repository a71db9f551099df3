import type { Kysely, Transaction } from 'kysely';
import { toEvaluator } from './evaluator.ts';
import type { QueueContext } from './evaluation-context.ts';
import { enqueue } from './queue/enqueue.ts';
import { runItemTarget } from './score-id.ts';
import type { EvaluationTables } from './tables.ts';

/**
 * Queues every enabled evaluator of spans and traces for items of a dataset run, in the transaction that stores them. Filter and sampling are
 * for arriving data alone.
 *
 * @param transaction the caller's
 */
export async function queueRunItems(
  context: Pick<QueueContext, 'clock' | 'limits' | 'signal'>,
  transaction: Kysely<unknown> | Transaction<unknown>,
  { projectId }: { projectId: string },
  runItemIds: readonly string[],
): Promise<void> {
  const db = transaction as Kysely<EvaluationTables>;
  const rows = await db
    .selectFrom('evaluators')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('enabled', '=', true)
    .where('target', 'in', ['span', 'trace'])
    .orderBy('id')
    .execute();
  const evaluators = rows.map(toEvaluator);
  const wanted = runItemIds.flatMap((id) => evaluators.map((evaluator) => ({ evaluator, target: runItemTarget(id) })));
  await enqueue(db, projectId, wanted, { nowMs: context.clock.now(), limit: context.limits.runItems });
  if (wanted.length > 0) context.signal.wake();
}
