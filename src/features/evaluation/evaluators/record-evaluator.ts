import type { Acting } from '../../../contract/actor.ts';
import type { Clock } from '../../../platform/clock/clock.ts';
import { recordAudit } from '../../audit/index.ts';
import type { Evaluator } from '../evaluator.ts';
import type { Transaction } from '../../../platform/postgres/index.ts';

/** Records that an evaluator was created or deleted. Call last in the transaction. */
export async function recordEvaluator(
  transaction: Transaction,
  clock: Clock,
  { organizationId, projectId, actor }: Acting,
  kind: 'evaluator.created' | 'evaluator.deleted',
  evaluator: Evaluator,
): Promise<void> {
  const detail = detailOf(evaluator);
  await recordAudit(transaction, clock, { organizationId, projectId, kind, actor, subject: evaluator.id, detail });
}

const fields = [
  'slug',
  'name',
  'type',
  'config',
  'target',
  'filter',
  'sampleRate',
  'passThreshold',
  'idleMinutes',
  'enabled',
] as const;

/** Records which fields of an evaluator have changed, if any. Call last in the transaction. */
export async function recordEvaluatorChange(
  transaction: Transaction,
  clock: Clock,
  { organizationId, projectId, actor }: Acting,
  before: Evaluator,
  after: Evaluator,
): Promise<void> {
  const changed = fields.filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]));
  if (changed.length === 0) return;
  const detail = { ...detailOf(after), changed };
  await recordAudit(transaction, clock, {
    organizationId,
    projectId,
    kind: 'evaluator.updated',
    actor,
    subject: after.id,
    detail,
  });
}

/** The configuration is omitted: it may exceed the size of an entry. */
function detailOf({ slug, type, target, enabled }: Evaluator) {
  return { slug, type, target, enabled };
}
