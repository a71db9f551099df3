import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { LeaseLost } from '../../../platform/jobs/leased-queue/index.ts';
import type { RepricingFigures, SpanPosition } from '../../trace-store/index.ts';
import type { RepricingJob } from './repricing-queue.ts';
import type { Database } from '../../../platform/postgres/index.ts';

/** A page that is being written. It is stored first, so that an attempt after a crash writes the same page and counts it once. */
export interface PageInProgress {
  end: SpanPosition;
  isLast: boolean;
  figures: RepricingFigures;
  /** When it was begun, epoch milliseconds. */
  begunMs: number;
}

/** Records the page that is written next. Errors: {@link LeaseLost}. */
export async function beginPage(
  db: Database,
  job: RepricingJob,
  { end, isLast, figures, begunMs }: PageInProgress,
): Promise<void> {
  const page: PageInProgress = { end, isLast, figures, begunMs };
  await update(db, job, sql`page = ${JSON.stringify(page)}`);
}

/** Records that a page is written, and adds its figures. The attempts are counted from here on. Errors: {@link LeaseLost}. */
export async function completePage(db: Database, job: RepricingJob, { end, figures }: PageInProgress): Promise<void> {
  const { spans, changed, costBefore, costAfter } = figures;
  await update(
    db,
    job,
    sql`page = NULL, after_trace_id = ${end.traceId}, after_span_id = ${end.spanId}, attempts = 1,
      spans = spans + ${spans}, changed = changed + ${changed}, cost_before = cost_before + ${String(costBefore)}::numeric, cost_after = cost_after + ${String(costAfter)}::numeric`,
  );
  job.attempts = 1;
}

async function update(db: Database, { id, leaseId }: RepricingJob, assignments: RawBuilder<unknown>): Promise<void> {
  const { rows } = await sql`UPDATE repricings SET ${assignments}
    WHERE id = ${id}::uuid AND lease_id = ${leaseId}::uuid AND status = 'running' RETURNING id`.execute(db);
  if (rows.length === 0) throw new LeaseLost();
}
