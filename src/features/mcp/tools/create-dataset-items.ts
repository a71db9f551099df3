import { datasetParams, itemsBody } from '../../../contract/datasets.ts';
import { listsThatFit } from '../answers/lists-that-fit.ts';
import { defineTool } from '../tool.ts';

export const createDatasetItems = defineTool({
  name: 'create_dataset_items',
  title: 'Create dataset items',
  description: 'Adds one item to a dataset, or several as items, all or nothing. A source takes input and output of a span.',
  keyScopes: ['datasets:write'],
  input: itemsBody.safeExtend({ datasetId: datasetParams.shape.datasetId }),
  permission: 'datasets:manage',
  async run({ tenant, actor, ports }, { datasetId, projectId: _projectId, ...body }) {
    const { items } = JSON.parse(await ports.datasets.addJsonItems({ tenant, actor }, datasetId, body)) as { items: unknown[] };
    const { nextCursor, ...answer } = listsThatFit({ created: items.length, items }, [['items']], undefined);
    return nextCursor === null ? answer : { ...answer, truncated: true };
  },
});
