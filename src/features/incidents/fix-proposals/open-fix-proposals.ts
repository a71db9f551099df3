import type { Feature, Platform } from '../../../platform/feature/index.ts';
import { QueueWorkers } from '../../../platform/jobs/leased-queue/index.ts';
import type { FixProposalsContext, FixProposalsPorts } from './fix-proposals-context.ts';
import { openProposalJobs, proposalPool } from './proposal-jobs.ts';
import type { ProposalTable } from './proposal-jobs.ts';
import { fixProposalRoutes } from './routes.ts';

export interface FixProposalsFeature extends Feature {
  /** Runs every proposal that is due now; for workers that were not started. @returns runs */
  runPending(): Promise<number>;
}

const concurrency = 4;
const maxOfProject = 2;

/** Proposals for prompts of incidents: routes, and the queue that runs them. */
export function openFixProposals(
  { postgres, clickhouse, clock, metrics, log }: Pick<Platform, 'postgres' | 'clickhouse' | 'clock' | 'metrics' | 'log'>,
  ports: FixProposalsPorts,
): FixProposalsFeature {
  const db = postgres.db;
  const jobs = openProposalJobs({ db, clock, metrics: metrics.queues.of('fix_proposals') });
  const context: FixProposalsContext = { ...ports, db, clickhouse, clock, jobs, wake: () => workers.wake() };
  const workers = new QueueWorkers<ProposalTable['payload'], ProposalTable['results'], ProposalTable['sums']>({
    queue: jobs,
    name: 'fix-proposals',
    clock,
    pools: [{ name: proposalPool, concurrency, batchSize: 1, maxOfProject }],
    run: async ({ jobs: claimed }, signal) => {
      // Loads a library for differences of texts, which nothing else needs.
      const { runProposal } = await import('./run-proposal.ts');
      return Promise.all(claimed.map(async (job) => ({ job, outcome: await runProposal(context, job, signal) })));
    },
    alone: postgres.mode === 'embedded',
    onError: (error) => {
      metrics.jobErrors.inc({ job: 'fix-proposals' });
      log.error({ err: error }, 'a fix proposal failed unexpectedly');
    },
  });
  return {
    routes: (server) => fixProposalRoutes(server, context),
    runPending: () => workers.runPending(),
    startWorkers: () => workers.start(),
    close: () => workers.stop(),
  };
}
