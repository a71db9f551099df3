import type { Clock } from '../../platform/clock/clock.ts';
import type { Database } from '../../platform/postgres/index.ts';
import type { EvaluationFeature } from '../evaluation/index.ts';
import type { JobMaker } from '../jobs/index.ts';
import type { TagChange } from '../trace-store/index.ts';
import type { TracesFeature } from '../traces/index.ts';
import type { Views } from '../views/index.ts';
import type { AddToDataset } from './add-to-dataset.ts';
import type { EvaluateRecords } from './evaluate-records.ts';
import type { ExportRecords } from './export-records.ts';

export interface SelectionsContext {
  db: Database;
  clock: Clock;
  traces: Pick<TracesFeature, 'records'>;
  views: Pick<Views, 'viewOf'>;
  evaluation: Pick<EvaluationFeature, 'stored'>;
  /** The jobs of each action. */
  makers: {
    delete: JobMaker<null>;
    addTags: JobMaker<TagChange>;
    removeTags: JobMaker<TagChange>;
    evaluate: JobMaker<EvaluateRecords>;
    addToDataset: JobMaker<AddToDataset>;
    export: JobMaker<ExportRecords>;
  };
}
