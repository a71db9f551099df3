import { setTimeout as delay } from 'node:timers/promises';
import { isUnavailable } from '../../../contract/errors.ts';
import { reachFailpoint } from '../../../platform/failpoint/failpoint.ts';
import { LeaseLost } from '../../../platform/jobs/leased-queue/index.ts';
import { decodeOwnPrices } from '../../pricing/index.ts';
import type { CostChange, RepricedRange, RepricingPort, SpanPosition } from '../../trace-store/index.ts';
import type { PricesContext } from '../prices-context.ts';
import { endRepricing } from './end-repricing.ts';
import { beginPage, completePage } from './progress.ts';
import type { PageInProgress } from './progress.ts';
import type { RepricingJob, RepricingOutcome } from './repricing-queue.ts';
import { modelsOf } from './repricing-record.ts';

/** Between two pages ingestion has as long as the page took, at most this many milliseconds. */
const maxPauseMs = 500;
/** The wait while a store does not answer, in milliseconds. */
const unavailableMs = 5_000;
/** How far the clocks of two processes may differ, in milliseconds. */
const clockDifferenceMs = 60_000;

type Context = Pick<PricesContext, 'db' | 'clock' | 'repricing'>;

/**
 * Runs a repricing from its last recorded page on (docs/semantics.md, "Repricing").
 *
 * @param stop aborts when another process has the job, or this one closes
 * @returns null when the job is another process's
 */
export async function runRepricing(context: Context, job: RepricingJob, stop: AbortSignal): Promise<RepricingOutcome | null> {
  try {
    if (job.payload.ended === true) return { kind: 'ended', status: 'completed' };
    await context.repricing.drain();
    if (!(await runPages(context, job, stop))) return { kind: 'retry', error: null, afterMs: 0, counts: false };
    await endRepricing(context, { id: job.id, leaseId: job.leaseId }, 'completed');
    return { kind: 'ended', status: 'completed' };
  } catch (error) {
    if (error instanceof LeaseLost) return null;
    if (!isUnavailable(error)) throw error;
    return { kind: 'retry', error: error.message, afterMs: unavailableMs, counts: false };
  }
}

/** @returns false when it was stopped */
async function runPages({ db, clock, repricing }: Context, job: RepricingJob, stop: AbortSignal): Promise<boolean> {
  const range = rangeOf(job);
  const { payload } = job;
  let after: SpanPosition = { traceId: payload.after_trace_id ?? '', spanId: payload.after_span_id ?? '' };
  let interrupted = payload.page === null ? null : (JSON.parse(payload.page) as PageInProgress);
  while (!stop.aborted) {
    const began = performance.now();
    const page = interrupted ?? { ...(await repricing.plan(range, after, null)), begunMs: clock.now() };
    if (payload.dry_run !== true) {
      if (interrupted === null) await beginPage(db, job, page);
      reachFailpoint('page-noted');
      await writePage(repricing, range, after, page);
      if (interrupted !== null) await repricing.markHoursSince(interrupted.begunMs - clockDifferenceMs);
    }
    await completePage(db, job, page);
    reachFailpoint('page-recorded');
    if (page.isLast) return true;
    after = page.end;
    interrupted = null;
    await delay(Math.min(performance.now() - began, maxPauseMs), undefined, { signal: stop }).catch(() => undefined);
  }
  return false;
}

/** Writes the changes of a page. Those of an interrupted one are read again: further spans may have arrived, and more than one page may hold. */
async function writePage(
  repricing: RepricingPort,
  range: RepricedRange,
  after: SpanPosition,
  page: PageInProgress & { changes?: readonly CostChange[] },
): Promise<void> {
  if (page.changes) return repricing.apply(range.projectId, page.changes);
  for (let from = after; ;) {
    const part = await repricing.plan(range, from, page.end);
    await repricing.apply(range.projectId, part.changes);
    if (part.isLast) return;
    from = part.end;
  }
}

function rangeOf({ projectId, payload }: RepricingJob): RepricedRange {
  return {
    projectId,
    fromMs: Number(payload.from_ms),
    beforeMs: Number(payload.before_ms),
    models: modelsOf(payload.models),
    ownPrices: decodeOwnPrices(payload.prices ?? ''),
  };
}
