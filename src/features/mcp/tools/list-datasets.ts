import { datasetsQuery } from '../../../contract/datasets.ts';
import { pageThatFits } from '../answers/page-that-fits.ts';
import { defineTool } from '../tool.ts';

export const listDatasets = defineTool({
  name: 'list_datasets',
  title: 'List datasets',
  description: 'The datasets of the project, newest first, with the number of their items.',
  keyScopes: ['read'],
  input: datasetsQuery.omit({ projectId: true }).strict(),
  run: ({ tenant, ports }, query) =>
    pageThatFits('datasets', query.limit, async (limit) => {
      const { datasets, nextCursor } = await ports.datasets.listDatasets(tenant.projectId, { ...query, limit });
      return { entries: datasets, nextCursor };
    }),
});
