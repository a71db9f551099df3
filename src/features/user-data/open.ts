import type { Feature, Platform } from '../../platform/feature/index.ts';
import type { JobsFeature } from '../jobs/index.ts';
import type { TracesFeature } from '../traces/index.ts';
import { userDeletionJobs } from './deletion-jobs.ts';
import { userDataRoutes } from './routes.ts';
import type { DeletionContext } from './user-data-context.ts';

export interface UserDataPorts extends Pick<DeletionContext, 'pipeline' | 'forgetExports' | 'forgetMadeFrom'> {
  jobs: Pick<JobsFeature, 'register'>;
  traces: Pick<TracesFeature, 'idsOfUser'>;
}

/** Deletion of all data of a user of the application. */
export function open(
  { postgres, clickhouse, clock }: Pick<Platform, 'postgres' | 'clickhouse' | 'clock'>,
  { jobs, traces, ...ports }: UserDataPorts,
): Feature {
  const { db, mode } = postgres;
  const deletions = jobs.register(userDeletionJobs({ db, mode, clickhouse, clock, ...ports }));
  return { routes: (server) => userDataRoutes(server, { db, traces, deletions }) };
}
