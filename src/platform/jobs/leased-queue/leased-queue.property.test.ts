import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { embeddedBackend } from '../../postgres/postgres-backends.fixture.ts';
import { leaseMs } from './leased-queue.ts';
import { anyNumber, claimAll, openQueueRig, projectA, projectB } from './queue.fixture.ts';
import type { QueueRig, StoredJob, TestJob, TestQueue } from './queue.fixture.ts';

let rig: QueueRig;

beforeAll(async () => {
  rig = await openQueueRig(embeddedBackend);
});
afterAll(() => rig.close());

interface Process {
  queue: TestQueue;
  /** The jobs that the process believes to hold. */
  held: TestJob[];
}

const step = fc.record({
  kind: fc.constantFrom('enqueue', 'claim', 'claim', 'end', 'retry', 'renew', 'release', 'die', 'advance', 'recover'),
  process: fc.constantFrom(0, 1),
  subject: fc.constantFrom('a', 'b', 'c', 'd'),
  number: fc.nat({ max: 9 }),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** Queued and completed versions, by subject. */
class History {
  readonly queued = new Map<string, number>();
  readonly ended = new Map<string, number>();
  #version = 0;

  next(subject: string): number {
    this.queued.set(subject, ++this.#version);
    return this.#version;
  }
}

async function carryOut({ kind, subject, number }: Step, process: Process, history: History): Promise<void> {
  const { queue, held } = process;
  const job = held[number % Math.max(held.length, 1)];
  const drop = () => held.splice(held.indexOf(job as TestJob), 1);
  switch (kind) {
    case 'enqueue':
      await rig.enqueue(subject < 'c' ? projectA : projectB, [subject], { version: history.next(subject) });
      break;
    case 'claim':
      held.push(...((await queue.claim('main', { ...anyNumber, max: 1 + (number % 3) }))?.jobs ?? []));
      break;
    case 'end':
      if (job) {
        await queue.record([{ job, outcome: { kind: 'ended', status: 'completed', results: { result: job.leaseId } } }]);
        drop();
      }
      break;
    case 'retry':
      if (job) {
        await queue.record([{ job, outcome: { kind: 'retry', error: 'again', afterMs: number * 1_000, counts: number > 4 } }]);
        drop();
      }
      break;
    case 'renew':
      if (held.length > 0) await queue.renew(held);
      break;
    case 'release':
      if (job) {
        await queue.release([job]);
        drop();
      }
      break;
    case 'die':
      process.held = [];
      break;
    case 'advance':
      rig.clock.advance(number < 5 ? number * 1_000 : leaseMs / 2 + number);
      break;
    case 'recover':
      await queue.recover();
  }
}

function checkRows(rows: readonly StoredJob[], before: ReadonlyMap<string, StoredJob>, processes: readonly Process[]): void {
  for (const status of ['queued', 'running']) {
    const subjects = rows.filter((row) => row.status === status).map(({ subject }) => subject);
    expect(new Set(subjects).size, `one ${status} job of each key`).toBe(subjects.length);
  }
  for (const row of rows) {
    const holders = processes.flatMap(({ held }) => held).filter(({ leaseId, id }) => id === row.id && leaseId === row.lease_id);
    expect(holders.length, 'a lease has at most one holder').toBeLessThanOrEqual(1);
    expect(row.status === 'running', 'a lease is that of a running job').toBe(row.lease_id !== null);
    const earlier = before.get(row.id);
    if (earlier && earlier.finished_at !== null) expect(row, 'an ended job stays as it is').toEqual(earlier);
  }
}

it('holds its invariants in any order of events, and finally runs the job queued last', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
      await rig.clear();
      const policy = { maxAttempts: 1_000, firstMs: 1_000, factor: 2, maxMs: 60_000, maxAskedMs: 60_000, jitter: 0 };
      const processes: Process[] = [0, 1].map(() => ({ queue: rig.process({ retries: policy }), held: [] }));
      const history = new History();
      let before = new Map<string, StoredJob>();
      for (const each of steps) {
        const process = processes[each.process];
        if (process) await carryOut(each, process, history);
        const rows = await rig.rows();
        checkRows(rows, before, processes);
        before = new Map(rows.map((row) => [row.id, row]));
      }
      // Both processes die; a new one finishes the work.
      rig.clock.advance(2 * leaseMs);
      const last = rig.process({ retries: policy });
      await last.recover();
      for (let jobs = await claimAll(last); jobs.length > 0; jobs = await claimAll(last))
        await last.record(jobs.map((job) => ({ job, outcome: { kind: 'ended', status: 'completed' } })));
      const rows = await rig.rows();
      expect(rows.filter(({ status }) => status !== 'completed')).toEqual([]);
      for (const { subject, version } of rows) history.ended.set(subject, Math.max(version, history.ended.get(subject) ?? 0));
      expect(history.ended).toEqual(history.queued);
    }),
    { numRuns: 40 },
  );
});
