import { metricQuery } from '../../../contract/metrics/query.ts';
import { maxResultBytes, resultBytes } from '../answers/tool-result.ts';
import { defineTool } from '../tool.ts';

export const query = defineTool({
  name: 'query',
  title: 'Query metrics',
  description:
    'Figures (cost, count, errorRate, tokens, latency percentiles and more) of calls, spans or traces, grouped by up to three fields and by time. What has no row is summed up in other; rows that do not fit are left out, and rowsLeftOut says how many.',
  keyScopes: ['read'],
  input: metricQuery,
  run: async ({ tenant, actor, ports }, given) => {
    const answer = await ports.metrics.runQuery(tenant, { projectId: tenant.projectId, actor }, given);
    const bytes = resultBytes({ ...answer });
    if (bytes <= maxResultBytes) return { ...answer };
    const shown = Math.floor((0.8 * answer.rows.length * maxResultBytes) / bytes);
    // The rows by time of the others are as many.
    const other = answer.other === null ? null : { ...answer.other, rows: answer.other.rows?.slice(0, shown) };
    return { ...answer, rows: answer.rows.slice(0, shown), rowsLeftOut: answer.rows.length - shown, other };
  },
});
