import type { Feature, Platform } from '../../platform/feature/index.ts';
import type { JobsFeature } from '../jobs/index.ts';
import type { IngestPipeline } from '../trace-store/index.ts';
import { deletionJobs } from './delete-traces.ts';
import { selectionRoutes } from './routes.ts';
import type { SelectionsContext } from './selections-context.ts';

export interface SelectionsPorts {
  jobs: Pick<JobsFeature, 'register'>;
  pipeline: Pick<IngestPipeline, 'deleteTraces'>;
}

/** Selections: an action on many traces or spans, as a durable job. */
export function open({ clock }: Pick<Platform, 'clock'>, { jobs, pipeline }: SelectionsPorts): Feature {
  const context: SelectionsContext = { makers: { delete: jobs.register(deletionJobs({ clock, pipeline })) } };
  return { routes: (server) => selectionRoutes(server, context) };
}
