import { recordRetention } from './features/audit/index.ts';
import { sessionCheckMs } from './features/evaluation/index.ts';
import { forgetExpired, listProjectPlans } from './features/identity/index.ts';
import { ingestRate, settleTraces } from './features/ingest/index.ts';
import { deleteSupersededSeals, sealHours } from './features/models/index.ts';
import { deleteExpired } from './features/traces/index.ts';
import type { PeriodicJobs } from './platform/jobs/periodic.ts';
import { replicasMayWrite } from './services.ts';
import type { Services } from './services.ts';

const minuteMs = 60_000;
const lockOf = (job: string) => `spanwise-job-${job}`;
/** They change ClickHouse and say so in PostgreSQL, or the other way round. */
const jobsInBothStores = ['seal-hours', 'delete-superseded-seals', 'retention'];

/** Starts what runs by itself. Each periodic job runs in one process at a time, whichever takes its lock. */
export function startBackgroundJobs(background: PeriodicJobs, services: Services): void {
  const { stores, clock, identity, hourStates, usage, evaluation } = services;
  const { postgres, clickhouse } = stores;
  const alone = (name: string, everyMs: number, work: () => Promise<unknown>) =>
    background.start({
      name,
      everyMs,
      run: async () => {
        await postgres.tryLock(lockOf(name), work);
      },
    });
  alone('seal-hours', 2_000, () => sealHours({ clickhouse, hourStates, clock }));
  if (replicasMayWrite(stores)) {
    const markHours: typeof hourStates.mark = (hours) => hourStates.mark(hours);
    alone('settle-traces', 1_000, () => settleTraces({ clickhouse, postgres: postgres.db, markHours }));
  }
  alone('delete-superseded-seals', 30 * minuteMs, () => deleteSupersededSeals({ clickhouse, hourStates }));
  alone('retention', 60 * minuteMs, () =>
    deleteExpired({
      clickhouse,
      clock,
      postgres: postgres.db,
      projects: () => listProjectPlans(identity),
      onExpired: (expired) => recordRetention({ db: postgres.db, clock }, expired),
    }),
  );
  evaluation.start();
  alone('complete-sessions', sessionCheckMs, () => evaluation.completeSessions());
  alone('evaluation-retention', 60 * minuteMs, async () => evaluation.deleteExpired(await listProjectPlans(identity)));
  alone('forget-expired', 10 * minuteMs, async () => {
    await forgetExpired(identity);
    await usage.forgetOld(clock.now());
    await stores.buckets?.forgetFull(ingestRate, clock.now());
  });
}

/** Runs `work` while no job is between the two stores; waits for those under way. */
export function betweenJobs<T>({ stores: { postgres } }: Services, work: () => Promise<T>): Promise<T> {
  return jobsInBothStores.reduce<() => Promise<T>>((inner, job) => () => postgres.withLock(lockOf(job), inner), work)();
}
