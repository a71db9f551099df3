import { afterAll, beforeAll, expect, test } from 'vitest';
import { Turns } from '../../../platform/budgets/index.ts';
import { endItemsOfFailedRuns } from '../batch-runs/end-items.ts';
import { batchRunPool } from '../batch-runs/run-queue.ts';
import { openSimulationsApp } from '../simulations-app.fixture.ts';
import type { SimulationsApp } from '../simulations-app.fixture.ts';
import { SlotAborted } from './batch-execution.ts';
import { runBatch } from './run-batch.ts';

let own: SimulationsApp;
beforeAll(async () => {
  own = await openSimulationsApp();
});
afterAll(() => own.close());

const roomy = { running: 10, runningOfOne: 10, waiting: 10, waitingOfOne: 10 };

/** Starts a run of two items, and claims it for its fifth attempt, the last one without progress. */
async function fifthAttempt(concurrency: number) {
  const { context } = own.app.features.simulations;
  const { id: datasetId } = await own.dataset([{ input: 1 }, { input: 2 }]);
  const run = await own.start(await own.scenario({ datasetId }), { concurrency });
  await context.db.updateTable('simulation_batch_runs').set({ attempts: 4 }).where('id', '=', run.id).execute();
  const claim = await context.queue.claim(batchRunPool, { max: 1, maxOfProject: 10, runningOf: new Map() });
  const [job] = claim?.jobs ?? [];
  if (!job) throw new Error('no run is due');
  expect(job.attempts).toBe(5);
  const execute = (limits: typeof roomy, request: typeof context.http.request) => {
    const slots = new Turns(limits, { busy: () => new SlotAborted('busy'), aborted: () => new SlotAborted() });
    const http = { checkUrl: (url: string) => context.http.checkUrl(url), request };
    return runBatch({ ...context, http }, slots, job, new AbortController().signal);
  };
  return { context, run, job, execute };
}

const answer = { status: 200, headers: {}, body: Buffer.from('{"output":1}'), url: 'http://target.example/' };

test('an attempt that recorded an item is not the last one', async () => {
  const { context, job, execute } = await fifthAttempt(1);
  let sent = 0;
  const request = () => ((sent += 1) === 1 ? Promise.resolve(answer) : Promise.reject(new Error('a fault')));
  await expect(execute(roomy, request)).rejects.toThrow('a fault');
  const outcome = context.queue.failure(job, 'it failed');
  expect(outcome.kind).toBe('retry');
  await context.queue.record([{ job, outcome }]);
  const { attempts } = await context.db
    .selectFrom('simulation_batch_runs')
    .select('attempts')
    .where('id', '=', job.id)
    .executeTakeFirstOrThrow();
  expect(attempts).toBe(1);
});

test('an item that gets no slot is no end of its run', async () => {
  const { run, execute } = await fifthAttempt(2);
  const none = { ...roomy, running: 1, waiting: 0 };
  await expect(execute(none, () => Promise.resolve(answer))).rejects.toThrow('busy');
  expect((await own.run(run.id)).counts.cancelled).toBe(0);
});

test('a run that the queue gives up has its figures stored once its items are ended', async () => {
  const { context, run, job, execute } = await fifthAttempt(1);
  await expect(execute(roomy, () => Promise.reject(new Error('a fault')))).rejects.toThrow('a fault');
  const outcome = context.queue.failure(job, 'it failed');
  expect(outcome).toMatchObject({ kind: 'ended', status: 'failed' });
  await context.queue.record([{ job, outcome }]);
  expect(await endItemsOfFailedRuns(context.db)).toBe(1);
  const stored = context.db.selectFrom('simulation_batch_runs').selectAll().where('id', '=', job.id);
  expect(await stored.executeTakeFirstOrThrow()).toMatchObject({
    passed: 0,
    not_passed: 0,
    errors: 0,
    cancelled: 2,
    cost_usd: 0,
    unpriced_calls: 0,
    partly_priced_calls: 0,
  });
  expect(await own.run(run.id)).toMatchObject({ status: 'failed', counts: { total: 2, cancelled: 2, pending: 0 } });
  expect(await endItemsOfFailedRuns(context.db)).toBe(0);
});
