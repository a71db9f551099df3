import type { QueryExecutorProvider } from 'kysely';
import type { Actor } from '../../../contract/actor.ts';
import type { Clock } from '../../../platform/clock/clock.ts';
import { recordAudit } from '../../audit/index.ts';
import type { Evaluator } from '../evaluator.ts';

/** Who acts on the evaluators of which project. */
export interface Acting {
  organizationId: string;
  projectId: string;
  actor: Actor;
}

/** Records that an evaluator was made or deleted. The last statement of the transaction that does it. */
export async function recordEvaluator(
  transaction: QueryExecutorProvider,
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

/** Records which fields of an evaluator have changed, if any. The last statement of the transaction that changes it. */
export async function recordEvaluatorChange(
  transaction: QueryExecutorProvider,
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

/** A configuration may be larger than an entry can be, and is left out. */
function detailOf({ slug, type, target, enabled }: Evaluator) {
  return { slug, type, target, enabled };
}
