import type { Feature, Platform } from '../../platform/feature/index.ts';
import type { DatasetsFeature } from '../datasets/index.ts';
import type { EvaluationFeature } from '../evaluation/index.ts';
import type { JobsFeature } from '../jobs/index.ts';
import type { IngestPipeline } from '../trace-store/index.ts';
import type { TracesFeature } from '../traces/index.ts';
import type { Views } from '../views/index.ts';
import { datasetJobs } from './add-to-dataset.ts';
import { deletionJobs } from './delete-traces.ts';
import { tagJobs } from './change-tags.ts';
import { evaluationJobs } from './evaluate-records.ts';
import { ExportFiles } from './export-file.ts';
import { exportJobs } from './export-records.ts';
import { forgetExports, removeExports } from './remove-exports.ts';
import { selectionRoutes } from './routes.ts';
import type { SelectionsContext } from './selections-context.ts';

export interface SelectionsPorts {
  jobs: Pick<JobsFeature, 'register'>;
  pipeline: Pick<IngestPipeline, 'deleteTraces' | 'changeTags'>;
  traces: Pick<TracesFeature, 'records'>;
  datasets: Pick<DatasetsFeature, 'addRecords'>;
  views: Pick<Views, 'viewOf'>;
  evaluation: Pick<EvaluationFeature, 'stored'>;
}

export interface SelectionsFeature extends Feature {
  /** See {@link forgetExports}. */
  forgetExports(projectId: string): Promise<void>;
}

const cleanUpEveryMs = 10 * 60_000;

/** Selections: an action on many traces or spans, as a durable job. */
export function open(
  { postgres, clock, directory }: Pick<Platform, 'postgres' | 'clock' | 'directory'>,
  { jobs, pipeline, traces, datasets, views, evaluation }: SelectionsPorts,
): SelectionsFeature {
  const { db } = postgres;
  const files = new ExportFiles(directory.path);
  const context: SelectionsContext = {
    db,
    clock,
    traces,
    views,
    evaluation,
    makers: {
      delete: jobs.register(deletionJobs({ clock, pipeline })),
      addTags: jobs.register(tagJobs('addTags', { postgres, pipeline })),
      removeTags: jobs.register(tagJobs('removeTags', { postgres, pipeline })),
      evaluate: jobs.register(evaluationJobs(evaluation)),
      addToDataset: jobs.register(datasetJobs(datasets)),
      export: jobs.register(exportJobs({ clock, traces, files })),
    },
  };
  return {
    forgetExports: (projectId) => forgetExports(files, db, clock, projectId),
    routes: (server) => selectionRoutes(server, context),
    jobs: [
      {
        name: 'remove-exports',
        everyMs: cleanUpEveryMs,
        changes: [],
        run: () => removeExports(files, db, clock),
      },
    ],
  };
}
