import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { embeddedBackend } from '../../postgres/postgres-backends.fixture.ts';
import { leaseMs } from './leased-queue.ts';
import { claimAll, openQueueRig, projectA, projectB } from './queue.fixture.ts';
import type { QueueRig, TestJob } from './queue.fixture.ts';
import { QueueWorkers } from './queue-workers.ts';
import type { PoolSettings } from './queue-workers.ts';

let rig: QueueRig;
let errors: unknown[] = [];

beforeAll(async () => {
  rig = await openQueueRig(embeddedBackend);
});
afterAll(() => rig.close());
beforeEach(async () => {
  await rig.clear();
  errors = [];
});

const main: PoolSettings = { name: 'main', concurrency: 4, batchSize: 1, maxOfProject: 2 };

/** Workers whose jobs end when the test says so. */
function openWorkers({ pool = main, graceMs = 0 }: { pool?: PoolSettings; graceMs?: number } = {}) {
  const running = new Map<string, { end(): void; fail(error: Error): void; signal: AbortSignal }>();
  const calls: string[][] = [];
  const workers = new QueueWorkers({
    queue: rig.process(),
    name: 'test',
    clock: rig.clock,
    pools: [pool],
    alone: false,
    graceMs,
    onError: (error) => void errors.push(error),
    run: async ({ jobs }, signal) => {
      const subjects = jobs.map(({ payload }) => payload.subject ?? '');
      calls.push(subjects);
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      for (const subject of subjects) running.set(subject, { end: resolve, fail: reject, signal });
      await promise.finally(() => subjects.forEach((subject) => running.delete(subject)));
      return jobs.map((job: TestJob) => ({ job, outcome: { kind: 'ended', status: 'completed' } }));
    },
  });
  return { workers, running, calls };
}

const statuses = async () => (await rig.rows()).map(({ subject, status }) => `${subject} ${status}`);
const until = (expected: readonly string[]) => vi.waitFor(async () => expect(await statuses()).toEqual(expected), 20_000);

it('runs jobs of several projects at once, each project up to its limit', async () => {
  await rig.enqueue(projectA, ['a0', 'a1', 'a2']);
  await rig.enqueue(projectB, ['b0']);
  const { workers, running } = openWorkers();
  workers.start();
  await vi.waitFor(() => expect([...running.keys()].toSorted()).toEqual(['a0', 'a1', 'b0']), 20_000);
  running.get('a0')?.end();
  await vi.waitFor(() => expect([...running.keys()].toSorted()).toEqual(['a1', 'a2', 'b0']), 20_000);
  for (const { end } of running.values()) end();
  await until(['a0 completed', 'a1 completed', 'a2 completed', 'b0 completed']);
  await workers.stop();
  expect(errors).toEqual([]);
});

it('runs jobs of one project together where the pool says so', async () => {
  await rig.enqueue(projectA, ['a0', 'a1', 'a2']);
  await rig.enqueue(projectB, ['b0']);
  const { workers, running, calls } = openWorkers({ pool: { ...main, batchSize: 2, maxOfProject: 4 } });
  const pending = workers.runPending();
  for (let batch = 0; batch < 3; batch++) {
    await vi.waitFor(() => expect(running.size).toBeGreaterThan(0), 20_000);
    for (const { end } of running.values()) end();
    await vi.waitFor(() => expect(calls.length > batch + 1 || batch === 2).toBe(true), 20_000);
  }
  expect(await pending).toBe(3);
  expect(calls).toEqual([['a0', 'a1'], ['b0'], ['a2']]);
});

it('waits for running jobs when it stops', async () => {
  await rig.enqueue(projectA, ['a0']);
  const { workers, running } = openWorkers({ graceMs: 3_600_000 });
  workers.start();
  await vi.waitFor(() => expect(running.size).toBe(1), 20_000);
  const stopping = workers.stop();
  await rig.enqueue(projectA, ['a1']);
  workers.wake();
  running.get('a0')?.end();
  await stopping;
  expect(await statuses()).toEqual(['a0 completed', 'a1 queued']);
});

it('releases jobs that do not end in time when it stops, and records nothing about them later', async () => {
  await rig.enqueue(projectA, ['a0']);
  const { workers, running } = openWorkers();
  workers.start();
  await vi.waitFor(() => expect(running.size).toBe(1), 20_000);
  const left = running.get('a0');
  await workers.stop();
  expect(await rig.rows()).toMatchObject([{ status: 'queued', attempts: 0 }]);
  expect(left?.signal.aborted).toBe(true);
  const [taken] = await claimAll(rig.process());
  left?.end();
  await vi.waitFor(() => expect(running.size).toBe(0), 30_000);
  expect(await rig.rows()).toMatchObject([{ status: 'running', lease_id: taken?.leaseId }]);
});

it('keeps its jobs by renewing leases, and drops those that another process has claimed', async () => {
  await rig.enqueue(projectA, ['a0']);
  const { workers, running } = openWorkers();
  workers.start();
  await vi.waitFor(() => expect(running.size).toBe(1), 20_000);
  const other = rig.process();
  for (let renewals = 0; renewals < 3; renewals++) {
    rig.clock.advance(leaseMs / 2);
    await workers.renewLeases();
    expect(await other.recover()).toBe(0);
  }
  expect(running.get('a0')?.signal.aborted).toBe(false);
  // As a process that was suspended.
  rig.clock.advance(leaseMs + 1);
  expect(await other.recover()).toBe(1);
  const [taken] = await claimAll(other);
  await workers.renewLeases();
  expect(running.get('a0')?.signal.aborted).toBe(true);
  running.get('a0')?.end();
  await workers.stop();
  expect(await rig.rows()).toMatchObject([{ status: 'running', attempts: 2, lease_id: taken?.leaseId }]);
});

it('drops its jobs when it cannot renew their leases in time', async () => {
  await rig.enqueue(projectA, ['a0']);
  const { workers, running } = openWorkers();
  workers.start();
  await vi.waitFor(() => expect(running.size).toBe(1), 20_000);
  const { signal } = running.get('a0') ?? {};
  const renewing = vi.spyOn(Object.getPrototypeOf(rig.process()), 'renew').mockRejectedValue(new Error('the database is away'));
  rig.clock.advance(leaseMs - 1);
  await expect(workers.renewLeases()).rejects.toThrow('away');
  expect(signal?.aborted).toBe(false);
  rig.clock.advance(1);
  await expect(workers.renewLeases()).rejects.toThrow('away');
  expect(signal?.aborted).toBe(true);
  renewing.mockRestore();
  running.get('a0')?.end();
  await workers.stop();
  expect(await statuses()).toEqual(['a0 running']);
});

it('retries a job that fails unexpectedly, and reports the error to the operator only', async () => {
  await rig.enqueue(projectA, ['a0']);
  const { workers, running } = openWorkers();
  const pending = workers.runPending();
  await vi.waitFor(() => expect(running.size).toBe(1), 20_000);
  running.get('a0')?.fail(new TypeError('secret detail'));
  await pending;
  expect(errors).toEqual([new TypeError('secret detail')]);
  const [row] = await rig.rows();
  expect(row).toMatchObject({ status: 'queued', attempts: 1 });
  expect(row?.error).not.toContain('secret');
});

it('polls when a retry is due', async () => {
  await rig.enqueue(projectA, ['a0']);
  const workers = new QueueWorkers({
    queue: rig.process(),
    name: 'test',
    clock: rig.clock,
    pools: [main],
    alone: true,
    onError: (error) => void errors.push(error),
    run: ({ jobs }) =>
      Promise.resolve(jobs.map((job: TestJob) => ({ job, outcome: { kind: 'retry', error: null, afterMs: 20, counts: true } }))),
  });
  const wake = vi.spyOn(workers, 'wake');
  await workers.runPending();
  await vi.waitFor(() => expect(wake).toHaveBeenCalledOnce(), 20_000);
  await workers.stop();
  expect(errors).toEqual([]);
});
