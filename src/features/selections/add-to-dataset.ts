import { ServiceError } from '../../contract/errors.ts';
import type { DatasetsFeature } from '../datasets/index.ts';
import { JobFailed } from '../jobs/index.ts';
import type { JobType } from '../jobs/index.ts';
import { spanOfKey } from './record-ids.ts';
import { tenantOfJob } from './selected-tenant.ts';
import type { SelectedRecords } from './selected-tenant.ts';

export interface AddToDataset extends SelectedRecords {
  datasetId: string;
  withOutput: boolean;
}

/** Jobs that add items for traces or spans to a dataset. The ids of added items are noted in the transaction that adds them. */
export function datasetJobs({ addRecords }: Pick<DatasetsFeature, 'addRecords'>): JobType<AddToDataset, null> {
  return {
    type: 'addToDataset',
    permission: 'datasets:manage',
    byKey: ['datasets:write'],
    pageSize: 200,
    run: async ({ job, items, noted, note }) => {
      const { organizationId, projectId, actor, input } = job;
      const { on, datasetId, withOutput } = input;
      const records = items
        .filter((key) => !noted.has(key))
        .map((key) => (on === 'spans' ? { key, ...spanOfKey(key) } : { key, traceId: key, spanId: null }));
      try {
        const failed = await addRecords({ organizationId, projectId, actor }, tenantOfJob(job), {
          datasetId,
          records,
          withOutput,
          onAdded: note,
        });
        return { failed: [...failed].map(([id, error]) => ({ id, error })) };
      } catch (error) {
        if (error instanceof ServiceError && error.code === 'not_found') throw new JobFailed('The dataset was deleted.');
        throw error;
      }
    },
    finish: ({ input }) => Promise.resolve({ datasetId: input.datasetId }),
  };
}
