import { toEvaluator } from './evaluator.ts';
import type { QueueContext } from './evaluation-context.ts';
import { enqueue } from './queue/enqueue.ts';
import { runItemTarget } from './score-id.ts';
import type { Transaction } from '../../platform/postgres/index.ts';

/**
 * Queues every enabled evaluator of spans and traces for items of a dataset run. Filter and sampling apply to arriving data only.
 *
 * @param transaction the one that stores the items
 */
export async function queueRunItems(
  context: Pick<QueueContext, 'clock' | 'jobs' | 'limits' | 'signal'>,
  transaction: Transaction,
  { projectId }: { projectId: string },
  runItemIds: readonly string[],
): Promise<void> {
  const rows = await transaction
    .selectFrom('evaluators')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('enabled', '=', true)
    .where('target', 'in', ['span', 'trace'])
    .orderBy('id')
    .execute();
  const evaluators = rows.map(toEvaluator);
  const candidates = runItemIds.flatMap((id) => evaluators.map((evaluator) => ({ evaluator, target: runItemTarget(id) })));
  await enqueue(context, transaction, projectId, candidates, { limit: context.limits.runItems });
  if (candidates.length > 0) context.signal.wake();
}
