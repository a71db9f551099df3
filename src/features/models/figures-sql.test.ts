import { expect, test } from 'vitest';
import {
  callsSql,
  modelsSql,
  overviewQualitySql,
  overviewSql,
  percentilesSql,
  qualitySql,
  qualityTotalsSql,
  sampledTracesSql,
  timelineP95Sql,
  tracesSql,
  unpricedSql,
} from './figures-sql.ts';

const mixed = { sealed: true, dirty: true };

// So that a reviewer sees the queries as they are sent.
test.each([
  ['calls of one model', callsSql(mixed)],
  ['percentiles of one model', percentilesSql(mixed, 'one')],
  ['traces of one model', tracesSql(mixed, true)],
  ['traces of one model, sampled', sampledTracesSql(mixed, true)],
  ['quality of one model', qualitySql(mixed)],
  ['models', modelsSql(mixed)],
  ['percentiles of all models', percentilesSql(mixed, 'every')],
  ['overview', overviewSql(mixed)],
  ['overview, percentiles', percentilesSql(mixed, 'named and all')],
  ['p95 of one model by day', timelineP95Sql(mixed, 'one')],
  ['p95 of the overview by day', timelineP95Sql(mixed, 'named and all')],
  ['overview, quality', overviewQualitySql(mixed)],
  ['overview, unpriced models', unpricedSql(mixed)],
  ['quality of all models', qualityTotalsSql(mixed)],
  ['calls of one model, nothing dirty', callsSql({ sealed: true, dirty: false })],
  ['calls of one model, nothing sealed', callsSql({ sealed: false, dirty: true })],
  ['overview by hour, partial hours', overviewSql({ ...mixed, partial: true, interval: 'hour' })],
])('%s', async (name, sql) => {
  await expect(`${sql}\n`).toMatchFileSnapshot(`snapshots/${name.replaceAll(/\W+/g, '-')}.sql`);
});
