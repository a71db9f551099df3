import { sql } from 'kysely';
import type { Transaction } from '../../platform/postgres/index.ts';
import { recordAudit } from '../audit/index.ts';
import type { JobType } from '../jobs/index.ts';
import { receiptOf } from './receipt.ts';
import { readSessions, readTold } from './told-of-traces.ts';
import type { DeletionContext, UserDeletion } from './user-data-context.ts';

/** Traces of one page: they are deleted by a few inserts, during which no batch is written. */
const pageSize = 200;

interface Deleted {
  traces: number;
  spans: number;
  scores: number;
  outcomes: number;
  newestMs: number | null;
}

/**
 * Jobs that delete all data of a user. What was made from the traces of a page goes first, then the traces, with an audit entry for each page; the exports of the
 * project at the end. What a page deletes is counted in the transaction that makes it irrevocable, so that a page that is run again counts once.
 */
export function userDeletionJobs(context: DeletionContext): JobType<UserDeletion, null> {
  const { db, clickhouse, clock, pipeline, forgetExports, forgetMadeFrom } = context;
  return {
    type: 'deleteUserData',
    permission: 'traces:delete',
    byKey: false,
    pageSize,
    run: async ({ job, items, noted, note }) => {
      const { organizationId, projectId, actor } = job;
      const sessionIds = await readSessions(clickhouse, projectId, items);
      await forgetMadeFrom({ organizationId, projectId }, { traceIds: items, sessionIds });
      const told = await readTold(clickhouse, projectId, items);
      const counted = new Set(noted);
      const found = await pipeline.deleteTraces({ organizationId, projectId }, items, async (transaction, begun) => {
        await note(
          transaction,
          begun.map(({ traceId }) => traceId),
        );
        const fresh = begun.filter(({ traceId }) => !counted.has(traceId));
        if (fresh.length === 0) return;
        for (const { traceId } of fresh) counted.add(traceId);
        const traceIds = fresh.map(({ traceId }) => traceId);
        const sum = (of: (trace: (typeof fresh)[number]) => number) => fresh.reduce((total, trace) => total + of(trace), 0);
        const spans = sum((trace) => trace.spans);
        const newest = traceIds.flatMap((traceId) => told.get(traceId)?.newestMs ?? []);
        await count(transaction, job.id, {
          traces: fresh.length,
          spans,
          scores: sum(({ traceId }) => told.get(traceId)?.scores ?? 0),
          outcomes: sum(({ traceId }) => told.get(traceId)?.outcomes ?? 0),
          newestMs: newest.length === 0 ? null : Math.max(...newest),
        });
        const detail = { jobId: job.id, traces: fresh.length, spans, traceIds };
        await recordAudit(transaction, clock, {
          organizationId,
          projectId,
          actor,
          kind: 'traces.deleted',
          subject: job.id,
          detail,
        });
      });
      const gone = items.filter((id) => !found.has(id) && !noted.has(id));
      return { failed: gone.map((id) => ({ id, error: 'There is no such trace any more.' })) };
    },
    finish: async (job) => {
      await forgetExports(job.projectId);
      const receipt = await db.transaction().execute((transaction) => receiptOf(context, transaction, job));
      return { receipt };
    },
  };
}

async function count(transaction: Transaction, jobId: string, deleted: Deleted): Promise<void> {
  const { traces, spans, scores, outcomes, newestMs } = deleted;
  await sql`UPDATE user_deletions SET traces = traces + ${traces}, spans = spans + ${spans}, scores = scores + ${scores},
      outcomes = outcomes + ${outcomes}, newest_ms = greatest(newest_ms, ${newestMs}::float8)
    WHERE job_id = ${jobId}::uuid`.execute(transaction);
}
