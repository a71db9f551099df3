import { Turns } from '../../../platform/budgets/index.ts';
import { batchRunPool } from '../batch-runs/run-queue.ts';
import type { SimulationsContext } from '../simulations-context.ts';
import { SlotAborted } from './batch-execution.ts';
import { runBatch } from './run-batch.ts';

/** Runs and items in progress. */
const many = 1_000;

/**
 * Executes the queued runs with answers that are made up instead of requested; for demonstration data. Nothing is sent.
 *
 * @param request makes up the answer to a request
 * @returns how many runs
 */
export async function executeQueued(
  context: SimulationsContext,
  request: SimulationsContext['http']['request'],
): Promise<number> {
  const limits = { running: many, runningOfOne: many, waiting: many, waitingOfOne: many };
  const slots = new Turns(limits, { busy: () => new SlotAborted('too many items wait'), aborted: () => new SlotAborted() });
  const madeUp = { ...context, http: { checkUrl: (url: string) => context.http.checkUrl(url), request } };
  for (let executed = 0; ; executed += 1) {
    const claim = await context.queue.claim(batchRunPool, { max: 1, maxOfProject: many, runningOf: new Map() });
    const [job] = claim?.jobs ?? [];
    if (!job) return executed;
    const outcome = await runBatch(madeUp, slots, job, new AbortController().signal);
    await context.queue.record([{ job, outcome }]);
  }
}
