import type { RangeQuery } from '../../contract/common.ts';
import type { SelectionBody } from '../../contract/selections.ts';
import type { Database } from '../../platform/postgres/index.ts';
import type { JobMaker } from '../jobs/index.ts';
import type { TracesFeature } from '../traces/index.ts';
import type { AddToDataset } from './add-to-dataset.ts';
import type { ExportRecords } from './export-records.ts';

/** The filter and the range of a saved view. */
export interface ViewFilter extends RangeQuery {
  filter: string;
}

/**
 * Looks a saved view up.
 *
 * @param userId who asks; null for an API key, which reads the views of the project alone
 * Errors: `not_found`; `invalid_request` for a view of other records
 */
export type ReadView = (
  asking: { projectId: string; userId: string | null },
  viewId: string,
  on: SelectionBody['on'],
) => Promise<ViewFilter>;

export interface SelectionsContext {
  db: Database;
  traces: Pick<TracesFeature, 'records'>;
  readView: ReadView;
  /** The jobs of each action. */
  makers: { delete: JobMaker<null>; addToDataset: JobMaker<AddToDataset>; export: JobMaker<ExportRecords> };
}
