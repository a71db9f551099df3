import { listIncidentsQuery } from '../../../contract/incidents.ts';
import { pageThatFits } from '../answers/page-that-fits.ts';
import { defineTool } from '../tool.ts';

export const listIncidents = defineTool({
  name: 'list_incidents',
  title: 'List incidents',
  description:
    'Incidents that alert rules opened, newest first, with their figures, worst traces, changes before them and history.',
  keyScopes: ['admin-read'],
  input: listIncidentsQuery.strict(),
  run: ({ tenant, ports }, query) =>
    pageThatFits('incidents', query.limit, async (limit) => {
      const { incidents, nextCursor } = await ports.incidents.listIncidents(tenant.projectId, { ...query, limit });
      return { entries: incidents, nextCursor };
    }),
});
