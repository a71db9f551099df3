import { listTracesQuery } from '../../../contract/traces.ts';
import { pageThatFits } from '../answers/page-that-fits.ts';
import { defineTool } from '../tool.ts';

export const searchTraces = defineTool({
  name: 'search_traces',
  title: 'Search traces',
  description:
    'Traces of the project, newest first, with their models, agents, errors, cost, tokens, latency and previews of input and output. Filters combine.',
  keyScopes: ['read'],
  input: listTracesQuery.strict(),
  run: async ({ tenant, actor, ports }, given) => {
    const query = await ports.views.withView({ projectId: tenant.projectId, actor }, given, 'traces');
    return pageThatFits('traces', query.limit, async (limit) => {
      const { traces, nextCursor } = await ports.traces.listTraces(tenant, { ...query, limit });
      return { entries: traces, nextCursor };
    });
  },
});
