import { v7 as uuidv7 } from 'uuid';
import { actorName } from '../../../contract/actor.ts';
import type { Acting } from '../../../contract/actor.ts';
import { ServiceError } from '../../../contract/errors.ts';
import { retentionCutoff } from '../../../contract/plans.ts';
import type { Plan } from '../../../contract/plans.ts';
import type { RepriceBody, StartedRepricing } from '../../../contract/prices.ts';
import { invalidRange } from '../../../contract/time-range.ts';
import { isUniqueViolation } from '../../../platform/postgres/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { encodeOwnPrices } from '../../pricing/index.ts';
import { endOfMoment, startOfMoment } from '../moment.ts';
import type { PricesContext } from '../prices-context.ts';
import { readOwnPrices } from '../read-prices.ts';
import { repricingPool } from './repricing-queue.ts';
import { rangeDetail } from './repricing-record.ts';

const oneOfProject = 'repricings_unfinished';

/**
 * Queues a repricing with a copy of the project's own prices (docs/semantics.md, "Repricing").
 *
 * Errors: `invalid_request` for a range that is empty or older than the retention; `conflict` while another one of the project is queued or running.
 */
export async function startRepricing(
  { db, clock, queue, wake }: PricesContext,
  { organizationId, projectId, actor }: Acting,
  plan: Plan,
  { from, to, models, dryRun }: RepriceBody,
): Promise<StartedRepricing> {
  const range = { from_ms: startOfMoment(from), before_ms: endOfMoment(to) };
  if (range.from_ms >= range.before_ms) throw invalidRange('Send a from that is not after to.', '/from', 'must not be after to');
  const edgeMs = Math.ceil(retentionCutoff(plan, clock.now()));
  if (range.before_ms <= edgeMs) {
    throw invalidRange(
      'Send a to within the retention of the plan; older calls are not shown.',
      '/to',
      'is older than the retention',
    );
  }
  const clipped = { ...range, from_ms: Math.max(range.from_ms, edgeMs) };
  const distinct = models === undefined ? null : JSON.stringify([...new Set(models)]);
  const id = uuidv7();
  try {
    await db.transaction().execute(async (transaction) => {
      const payload = {
        organization_id: organizationId,
        ...clipped,
        models: distinct,
        dry_run: dryRun,
        prices: encodeOwnPrices(await readOwnPrices(transaction, projectId)),
        created_by: actorName(actor),
        after_trace_id: '',
        after_span_id: '',
        page: null,
        ended: false,
      };
      await queue.enqueue(transaction, projectId, [{ id, pool: repricingPool, payload }], { limit: Infinity });
      if (dryRun) return;
      const detail = rangeDetail(payload);
      await recordAudit(transaction, clock, { organizationId, projectId, kind: 'repricing.started', actor, subject: id, detail });
    });
  } catch (error) {
    if (!isUniqueViolation(error, oneOfProject)) throw error;
    throw new ServiceError('conflict', 'The project has a repricing in progress; wait until it has ended, then send this again.');
  }
  wake();
  return { id, status: 'queued' };
}
