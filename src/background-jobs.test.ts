import { describe, expect, test, vi } from 'vitest';
import { betweenJobs, startBackgroundJobs } from './background-jobs.ts';
import type { Feature, FeatureJob, StoreName } from './platform/feature/index.ts';
import type { PeriodicJob, PeriodicJobs } from './platform/jobs/periodic.ts';

const job = (name: string, changes: StoreName[], run: FeatureJob['run'] = () => Promise.resolve()): FeatureJob => ({
  name,
  everyMs: 1_000,
  changes,
  run,
});

const features: Feature[] = [
  { jobs: [job('both', ['clickhouse', 'postgres']), job('relational', ['postgres'])] },
  {},
  { jobs: [job('analytical', ['clickhouse']), job('both-too', ['postgres', 'clickhouse'])] },
];

/** Locks that are held, by name. */
function locks() {
  const held = new Set<string>();
  const withLock = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    held.add(name);
    try {
      return await work();
    } finally {
      held.delete(name);
    }
  };
  const tryLock = async (name: string, work: () => Promise<unknown>) => {
    if (held.has(name)) return false;
    await withLock(name, work);
    return true;
  };
  return { held, withLock, tryLock };
}

describe('between jobs', () => {
  test('jobs that change both stores are blocked, and no others', async () => {
    const { held, withLock } = locks();
    const seen = await betweenJobs({ withLock }, features, () => Promise.resolve([...held]));
    expect(seen.toSorted()).toEqual(['spanwise-job-both', 'spanwise-job-both-too']);
    expect(held.size).toBe(0);
  });

  test('work runs at once when there are no jobs', async () => {
    expect(await betweenJobs(locks(), [], () => Promise.resolve('done'))).toBe('done');
  });
});

describe('background jobs', () => {
  test('run under their own lock, each in one process at a time', async () => {
    const started: PeriodicJob[] = [];
    const postgres = locks();
    const seen: string[][] = [];
    const run = vi.fn((_signal: AbortSignal) => Promise.resolve(void seen.push([...postgres.held])));
    const background = { start: (periodic: PeriodicJob) => void started.push(periodic) } as PeriodicJobs;
    startBackgroundJobs(background, postgres as never, [{ jobs: [job('one', ['postgres'], run)] }]);
    const { signal } = new AbortController();
    await started[0]?.run(signal);
    expect(seen).toEqual([['spanwise-job-one']]);
    expect(run).toHaveBeenCalledWith(signal);
    await postgres.withLock('spanwise-job-one', async () => started[0]?.run(signal));
    expect(run).toHaveBeenCalledTimes(1);
  });

  test('with the same name are refused', () => {
    const twice: Feature[] = [{ jobs: [job('one', [])] }, { jobs: [job('one', [])] }];
    expect(() => startBackgroundJobs({ start: () => undefined } as unknown as PeriodicJobs, locks() as never, twice)).toThrow(
      'the same name',
    );
  });

  test('start with the other work of features', () => {
    const startWorkers = vi.fn();
    startBackgroundJobs({ start: () => undefined } as unknown as PeriodicJobs, locks() as never, [{ startWorkers }]);
    expect(startWorkers).toHaveBeenCalledOnce();
  });
});
