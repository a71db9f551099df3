import type { Acting } from '../../contract/actor.ts';
import type { Job } from '../../contract/jobs.ts';
import { jobLimits } from '../../contract/jobs.ts';
import type { Feature, Platform } from '../../platform/feature/index.ts';
import { QueueWorkers } from '../../platform/jobs/leased-queue/index.ts';
import { cleanUpJobs } from './clean-up-jobs.ts';
import { createJob } from './create-job.ts';
import type { JobSet, OnJobMade } from './create-job.ts';
import { jobPool, openJobQueue } from './job-queue.ts';
import type { JobTable } from './job-queue.ts';
import type { AnyJobType, JobType } from './job-type.ts';
import type { JobsContext } from './jobs-context.ts';
import { jobRoutes } from './routes.ts';
import { runJob } from './run-job.ts';

/** Makes jobs of one type. */
export interface JobMaker<Input> {
  /**
   * Makes a job; see {@link createJob}.
   *
   * @param set the ids that it works on, none twice; stored before this resolves
   * Errors: `conflict`; `invalid_request`
   */
  create(acting: Acting, input: Input, set: JobSet, onMade?: OnJobMade): Promise<Job>;
}

export interface JobsFeature extends Feature {
  /** Registers a type of jobs; see {@link JobType}. To be called while features are opened. */
  register<Input, State = null>(type: JobType<Input, State>): JobMaker<Input>;
  /** Runs everything that is due now; for workers that were not started. @returns runs */
  runPending(): Promise<number>;
}

/** Jobs under way in this process. A project has at most half of them. */
const concurrency = 2 * jobLimits.running;
const cleanUpEveryMs = 10 * 60_000;

/** Durable jobs: claimed, resumed after a crash, cancelled, bounded, and fair by project. */
export function open({ postgres, clock, metrics, log }: Pick<Platform, 'postgres' | 'clock' | 'metrics' | 'log'>): JobsFeature {
  const { db } = postgres;
  const types = new Map<string, AnyJobType>();
  const closing = new AbortController();
  const queue = openJobQueue({ db, clock, metrics: metrics.queues.of('jobs') });
  const context: JobsContext = { db, clock, queue, types, wake: () => workers.wake() };
  const workers = new QueueWorkers<JobTable['payload'], JobTable['results'], JobTable['sums']>({
    queue,
    name: 'jobs',
    clock,
    pools: [{ name: jobPool, concurrency, batchSize: 1, maxOfProject: jobLimits.running }],
    run: async ({ jobs }, lost) => {
      const stop = AbortSignal.any([lost, closing.signal]);
      const runs = await Promise.all(jobs.map(async (job) => ({ job, outcome: await runJob(context, job, stop) })));
      return runs.flatMap(({ job, outcome }) => (outcome === null ? [] : [{ job, outcome }]));
    },
    alone: postgres.mode === 'embedded',
    onError: (error) => {
      metrics.jobErrors.inc({ job: 'jobs' });
      log.error({ err: error }, 'a job failed unexpectedly and will be tried again');
    },
  });
  return {
    register: (type) => {
      if (types.has(type.type)) throw new Error(`two features have jobs of type ${type.type}`);
      types.set(type.type, type as AnyJobType);
      const { type: name, pageSize } = type;
      return {
        create: (acting, input, set, onMade) => createJob(context, acting, { type: name, pageSize, input }, set, onMade),
      };
    },
    runPending: () => workers.runPending(),
    routes: (server) => jobRoutes(server, context),
    jobs: [{ name: 'clean-up-jobs', everyMs: cleanUpEveryMs, changes: ['postgres'], run: () => cleanUpJobs(context) }],
    startWorkers: () => workers.start(),
    close: async () => {
      closing.abort();
      await workers.stop();
    },
  };
}
