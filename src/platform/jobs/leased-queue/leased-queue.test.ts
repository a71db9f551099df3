import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { backends } from '../../postgres/postgres-backends.fixture.ts';
import { leaseMs } from './leased-queue.ts';
import { anyNumber, claimAll, openQueueRig, projectA, projectB, startMs } from './queue.fixture.ts';
import type { QueueRig, TestJob, TestQueue } from './queue.fixture.ts';

describe.each(backends)('a leased queue on the $mode backend', (backend) => {
  let rig: QueueRig;
  let one: TestQueue;
  let other: TestQueue;

  beforeAll(async () => {
    rig = await openQueueRig(backend);
  });
  afterAll(() => rig.close());
  beforeEach(async () => {
    await rig.clear();
    one = rig.process();
    other = rig.process();
  });

  /** The job that was claimed; fails unless there is exactly one. */
  const claimOne = async (queue: TestQueue): Promise<TestJob> => {
    const [job, ...more] = await claimAll(queue);
    if (!job || more.length > 0) throw new Error(`${more.length + Number(Boolean(job))} jobs were claimed`);
    return job;
  };
  const ended = (job: TestJob, result = 'done') => ({
    job,
    outcome: { kind: 'ended' as const, status: 'completed', results: { result } },
  });
  const statuses = async () => (await rig.rows()).map(({ subject, status }) => `${subject} ${status}`);

  it('gives each job to only one of several claimants', async () => {
    for (const [project, prefix] of [
      [projectA, 'a'],
      [projectB, 'b'],
    ] as const)
      await rig.enqueue(
        project,
        Array.from({ length: 30 }, (_, at) => `${prefix}${at}`),
      );
    const claims = await Promise.all([one, other, one, other].map((queue) => claimAll(queue, 4)));
    const ids = claims.flat().map(({ id }) => id);
    expect(ids).toHaveLength(60);
    expect(new Set(ids).size).toBe(60);
    expect(await rig.rows()).toEqual(Array(60).fill(expect.objectContaining({ status: 'running', attempts: 1 })));
  });

  it('queues a key once, with its latest payload, and never runs it twice concurrently', async () => {
    await rig.enqueue(projectA, ['a', 'a'], { version: 1 });
    await rig.enqueue(projectA, ['a'], { version: 2 });
    const job = await claimOne(one);
    expect(job.payload).toEqual({ subject: 'a', version: 2 });
    await rig.enqueue(projectA, ['a'], { version: 3 });
    expect(await claimAll(other)).toEqual([]);
    await one.record([ended(job)]);
    expect((await claimOne(other)).payload.version).toBe(3);
  });

  it('claims nothing when the jobs of a project go meanwhile and another project has none to claim', async () => {
    await rig.enqueue(projectB, ['b']);
    await claimOne(other);
    await rig.enqueue(projectB, ['b'], { version: 2 });
    await rig.enqueue(projectA, ['a']);
    let statements = 0;
    const taken = rig.postgres.db.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        statements += 1;
        if (statements > 20) throw new Error('it does not end');
        // Another process takes the first project's job after this one has found it.
        if (statements === 1) await sql`DELETE FROM test_jobs WHERE subject = 'a'`.execute(rig.postgres.db);
        return result;
      },
    });
    expect(await rig.process({ db: taken }).claim('main', anyNumber)).toBeNull();
  });

  it('queues in the transaction of its caller', async () => {
    const { db } = rig.postgres;
    const failing = db.transaction().execute(async (transaction) => {
      await one.enqueue(transaction, projectA, [{ pool: 'main', payload: { subject: 'a', version: 1 } }], { limit: 10 });
      throw new Error('rolled back');
    });
    await expect(failing).rejects.toThrow('rolled back');
    expect(await rig.rows()).toEqual([]);
  });

  it('refuses jobs beyond the limit of a project, running jobs included', async () => {
    expect(await rig.enqueue(projectA, ['a', 'b', 'c', 'd'], { limit: 3 })).toBe(1);
    await claimAll(one);
    expect(await rig.enqueue(projectA, ['e'], { limit: 3 })).toBe(1);
    expect(await rig.enqueue(projectB, ['f'], { limit: 3 })).toBe(0);
    expect(await statuses()).toEqual(['a running', 'b running', 'c running', 'f queued']);
    expect([await one.unfinished(rig.postgres.db, projectA, 2), await one.unfinished(rig.postgres.db, projectA, 9)]).toEqual([
      2, 3,
    ]);
  });

  it('takes projects in turn and skips those at their limit', async () => {
    await rig.enqueue(projectA, ['a0', 'a1', 'a2', 'a3']);
    await rig.enqueue(projectB, ['b0']);
    const turns: string[] = [];
    for (let turn = 0; turn < 3; turn++) {
      const claim = await one.claim('main', { ...anyNumber, max: 2 });
      turns.push(...(claim?.jobs ?? []).map(({ payload }) => payload.subject ?? ''));
    }
    expect(turns).toEqual(['a0', 'a1', 'b0', 'a2', 'a3']);
    await rig.enqueue(projectA, ['a4', 'a5']);
    const runningOf = new Map([[projectA, 3]]);
    expect(await one.claim('main', { max: 9, maxOfProject: 3, runningOf })).toBeNull();
    expect((await one.claim('main', { max: 9, maxOfProject: 4, runningOf }))?.jobs).toHaveLength(1);
    expect(await one.claim('another pool', anyNumber)).toBeNull();
  });

  it('queues a job again once when its lease has expired, and ignores the process that lost it', async () => {
    await rig.enqueue(projectA, ['a']);
    const lost = await claimOne(one);
    rig.clock.advance(leaseMs);
    expect(await other.recover()).toBe(0);
    rig.clock.advance(1);
    const recovered = await Promise.all([one.recover(), other.recover()]);
    expect(recovered.toSorted()).toEqual([0, 1]);
    expect(await one.renew([lost])).toEqual(new Set());
    const taken = await claimOne(other);
    expect([taken.id, taken.attempts]).toEqual([lost.id, 2]);
    await one.record([ended(lost, 'late')]);
    await one.release([lost]);
    expect(await rig.rows()).toMatchObject([{ status: 'running', attempts: 2, lease_id: taken.leaseId, result: null }]);
    await other.record([ended(taken, 'in time')]);
    expect(await rig.rows()).toMatchObject([{ status: 'completed', result: 'in time', lease_id: null, lease_until: null }]);
  });

  it('keeps a job as long as its lease is renewed', async () => {
    await rig.enqueue(projectA, ['a']);
    const job = await claimOne(one);
    for (let renewals = 0; renewals < 4; renewals++) {
      rig.clock.advance(leaseMs);
      expect(await one.renew([job])).toEqual(new Set([job.id]));
      expect(await other.recover()).toBe(0);
    }
    rig.clock.advance(leaseMs + 1);
    expect(await other.recover()).toBe(1);
  });

  it('recovers unexpired leases for the only process of a database', async () => {
    await rig.enqueue(projectA, ['a']);
    await claimOne(one);
    expect([await other.recover(), await other.recover(true)]).toEqual([0, 1]);
  });

  it('runs jobs that were queued or claimed by a clock that was ahead, once it was set back', async () => {
    const dayMs = 86_400_000;
    await one.recover();
    rig.clock.advance(dayMs);
    await rig.enqueue(projectA, ['dead', 'failed']);
    for (const job of await claimAll(one))
      if (job.payload.subject === 'failed') await one.record([{ job, outcome: one.failure(job, 'away') }]);
    await one.recover();
    rig.clock.advance(-dayMs);
    expect(await claimAll(one)).toEqual([]);
    await one.recover();
    expect((await claimOne(one)).payload.subject).toBe('failed');
    rig.clock.advance(leaseMs + 1);
    expect(await other.recover()).toBe(2);
    expect(await claimAll(other)).toHaveLength(2);
    // What may be a wait of now is left.
    await rig.enqueue(projectA, ['waits']);
    rig.clock.advance(-3_600_000);
    await other.recover();
    expect(await claimAll(other)).toEqual([]);
  });

  it('ends no lease of a live process for another one whose clock is two minutes late', async () => {
    await rig.enqueue(projectA, ['live']);
    await claimOne(one);
    rig.clock.advance(-120_000);
    await other.recover();
    rig.clock.advance(120_001);
    expect(await one.recover()).toBe(0);
  });

  it('fails a job whose process died at each of its attempts', async () => {
    await rig.enqueue(projectA, ['deadly']);
    for (let attempt = 1; attempt <= 3; attempt++) {
      expect((await claimOne(one)).attempts).toBe(attempt);
      rig.clock.advance(leaseMs + 1);
      await other.recover();
    }
    expect(await claimAll(one)).toEqual([]);
    expect(await rig.rows()).toMatchObject([
      { status: 'failed', error: 'It was interrupted.', finished_at: new Date(rig.clock.now()), lease_id: null },
    ]);
  });

  it('releases a job as if it had not been claimed; its first claim no longer affects it', async () => {
    await rig.enqueue(projectA, ['a']);
    const released = await claimOne(one);
    await one.release([released]);
    expect(await rig.rows()).toMatchObject([{ status: 'queued', attempts: 0, lease_id: null, lease_until: null }]);
    const taken = await claimOne(other);
    expect(taken.attempts).toBe(released.attempts);
    await one.record([ended(released)]);
    expect(await rig.rows()).toMatchObject([{ status: 'running', lease_id: taken.leaseId }]);
  });

  it('retries a failed job with backoff until its attempts are used up, and sums their usage', async () => {
    await rig.enqueue(projectA, ['a']);
    for (const [attempt, wait] of [1_000, 4_000].entries()) {
      const job = await claimOne(one);
      await one.record([{ job, outcome: one.failure(job, `failure ${attempt + 1}\0\ud800`, { sums: { tokens: 10 } }) }]);
      expect(await rig.rows()).toMatchObject([
        { status: 'queued', attempts: attempt + 1, error: `failure ${attempt + 1}\ufffd\ufffd`, tokens: 10 * (attempt + 1) },
      ]);
      rig.clock.advance(wait - 1);
      expect(await claimAll(one)).toEqual([]);
      rig.clock.advance(1);
    }
    const job = await claimOne(one);
    await one.record([{ job, outcome: one.failure(job, 'the last failure') }]);
    expect(await rig.rows()).toMatchObject([{ status: 'failed', attempts: 3, error: 'the last failure', tokens: 20 }]);
    expect((await rig.rows())[0]?.finished_at).toEqual(new Date(rig.clock.now()));
  });

  it('waits as requested, fails at once when a retry cannot succeed, and ignores uncounted attempts', async () => {
    await rig.enqueue(projectA, ['asked', 'final', 'uncounted']);
    const jobs = new Map((await claimAll(one)).map((job) => [job.payload.subject, job]));
    const [asked, final, uncounted] = ['asked', 'final', 'uncounted'].map((subject) => jobs.get(subject));
    if (!asked || !final || !uncounted) throw new Error('not every job was claimed');
    await one.record([
      { job: asked, outcome: one.failure(asked, 'busy', { askedMs: 30_000 }) },
      { job: final, outcome: one.failure(final, 'no', { retryable: false }) },
      { job: uncounted, outcome: { kind: 'retry', error: null, afterMs: 5, counts: false } },
    ]);
    expect(await rig.rows()).toMatchObject([
      { subject: 'asked', status: 'queued', attempts: 1, run_at: new Date(startMs + 30_000) },
      { subject: 'final', status: 'failed', attempts: 1, error: 'no' },
      { subject: 'uncounted', status: 'queued', attempts: 0, run_at: new Date(startMs + 5), error: null },
    ]);
  });

  it('keeps what an attempt wrote when it is tried again, and the ids that it was given', async () => {
    const id = '0197e000-0000-7000-8000-000000000001';
    const job = { id, pool: 'main', payload: { subject: 'a', version: 1 } };
    await one.enqueue(rig.postgres.db, projectA, [job], { limit: 10 });
    const first = await claimOne(one);
    await one.record([{ job: first, outcome: one.failure(first, 'busy', { results: { result: 'so far' } }) }]);
    expect(await rig.rows()).toMatchObject([{ id, status: 'queued', result: 'so far' }]);
    rig.clock.advance(1_000);
    const second = await claimOne(one);
    await one.record([{ job: second, outcome: one.failure(second, 'no', { retryable: false }) }]);
    expect(await rig.rows()).toMatchObject([{ id, status: 'failed', result: 'so far' }]);
  });

  it('removes jobs that leave no record, and drops a retry whose key was queued again', async () => {
    await rig.enqueue(projectA, ['gone', 'again']);
    const jobs = await claimAll(one);
    await rig.enqueue(projectA, ['again'], { version: 2 });
    const outcomes = {
      gone: { kind: 'removed' as const },
      again: { kind: 'retry' as const, error: 'e', afterMs: 0, counts: true },
    };
    await one.record(jobs.map((job) => ({ job, outcome: outcomes[job.payload.subject === 'gone' ? 'gone' : 'again'] })));
    expect(await rig.rows()).toMatchObject([{ subject: 'again', version: 2, status: 'queued', attempts: 0 }]);
    const again = await claimOne(one);
    await rig.enqueue(projectA, ['again'], { version: 3 });
    await one.release([again]);
    expect(await rig.rows()).toMatchObject([{ subject: 'again', version: 3, status: 'queued' }]);
  });

  it('counts what happens', async () => {
    const counts: string[] = [];
    const counted = rig.process({
      metrics: {
        claimed: (pool, jobs) => counts.push(`claimed ${pool} ${jobs}`),
        ended: (outcome) => counts.push(`ended ${outcome}`),
        recovered: (jobs) => counts.push(`recovered ${jobs}`),
        refused: (jobs) => counts.push(`refused ${jobs}`),
      },
    });
    const jobs = ['a', 'b', 'c'].map((subject) => ({ pool: 'main', payload: { subject, version: 1 } }));
    await counted.enqueue(rig.postgres.db, projectA, jobs, { limit: 2 });
    await claimAll(counted);
    await counted.recover(true);
    const [first, second] = await claimAll(counted);
    if (!first || !second) throw new Error('not every job was claimed');
    await counted.record([ended(first), { job: second, outcome: counted.failure(second, 'no') }]);
    expect(counts).toEqual(['refused 1', 'claimed main 2', 'recovered 2', 'claimed main 2', 'ended completed', 'ended retry']);
  });
});
