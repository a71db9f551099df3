import type { Feature, FeatureJob, StoreName } from './platform/feature/index.ts';
import type { PeriodicJobs } from './platform/jobs/periodic.ts';
import type { Postgres } from './platform/postgres/index.ts';

/** The stores that a backup copies in one consistent state. */
const consistentStores: readonly StoreName[] = ['clickhouse', 'postgres'];

const lockOf = ({ name }: FeatureJob) => `spanwise-job-${name}`;

/** Starts the jobs and the workers of features. A lock per job keeps it to one process at a time. */
export function startBackgroundJobs(
  background: PeriodicJobs,
  postgres: Pick<Postgres, 'tryLock'>,
  features: readonly Feature[],
): void {
  for (const job of jobsOf(features)) {
    const run = async (signal: AbortSignal) => {
      await postgres.tryLock(lockOf(job), () => job.run(signal));
    };
    background.start({ name: job.name, everyMs: job.everyMs, run });
  }
  for (const feature of features) feature.startWorkers?.();
}

/** Runs `work` while no job that changes both stores runs; waits for running ones. */
export function betweenJobs<T>(
  postgres: Pick<Postgres, 'withLock'>,
  features: readonly Feature[],
  work: () => Promise<T>,
): Promise<T> {
  return jobsOf(features)
    .filter(({ changes }) => consistentStores.every((store) => changes.includes(store)))
    .reduce<() => Promise<T>>((inner, job) => () => postgres.withLock(lockOf(job), inner), work)();
}

/** Errors: two jobs with one name would share a lock. */
function jobsOf(features: readonly Feature[]): FeatureJob[] {
  const jobs = features.flatMap((feature) => feature.jobs ?? []);
  if (new Set(jobs.map(({ name }) => name)).size < jobs.length) throw new Error('two background jobs have the same name');
  return jobs;
}
