import type { Clock } from '../../platform/clock/clock.ts';
import { recordAudit } from '../audit/index.ts';
import type { JobType } from '../jobs/index.ts';
import type { IngestPipeline } from '../trace-store/index.ts';
import { noSuchTrace } from './record-ids.ts';

export interface DeletionContext {
  clock: Clock;
  pipeline: Pick<IngestPipeline, 'deleteTraces'>;
}

/** Traces of one page: they are deleted by a few inserts, during which no batch is written. */
const pageSize = 200;

/**
 * Jobs that delete traces. The audit entry of a page is written with the record of its deletions, which are completed from then on; so are the ids, which the
 * next attempt at the page counts as done.
 */
export function deletionJobs({ clock, pipeline }: DeletionContext): JobType<null, null> {
  return {
    type: 'delete',
    permission: 'traces:delete',
    byKey: false,
    pageSize,
    run: async ({ job, items, noted, note }) => {
      const { organizationId, projectId, actor } = job;
      const found = await pipeline.deleteTraces({ organizationId, projectId }, items, async (transaction, begun) => {
        const traceIds = begun.map(({ traceId }) => traceId);
        await note(transaction, traceIds);
        const fresh = begun.filter(({ traceId }) => !noted.has(traceId));
        if (fresh.length === 0) return;
        const detail = {
          jobId: job.id,
          traces: fresh.length,
          spans: fresh.reduce((sum, { spans }) => sum + spans, 0),
          traceIds: fresh.map(({ traceId }) => traceId),
        };
        await recordAudit(transaction, clock, {
          organizationId,
          projectId,
          actor,
          kind: 'traces.deleted',
          subject: job.id,
          detail,
        });
      });
      const failed = items.filter((id) => !found.has(id) && !noted.has(id)).map((id) => ({ id, error: noSuchTrace }));
      return { failed };
    },
  };
}
