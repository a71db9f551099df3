import { expect, test } from 'vitest';
import { graphSql, nodeSql, outlineSql, recountSql, sharesSql, totalsSql } from './graph-sql.ts';

const mixed = { sealed: true, dirty: true, partial: true, environments: true };

// So that a reviewer sees the queries as they are sent.
test.each([
  ['graph', graphSql(mixed)],
  ['graph, nothing dirty', graphSql({ ...mixed, dirty: false, environments: false })],
  ['one node', nodeSql(mixed)],
  ['every edge', outlineSql(mixed)],
  ['totals of traces', totalsSql(true)],
  ['totals of traces, recounted', recountSql(false)],
  ['shares', sharesSql(true)],
  ['shares, every environment', sharesSql(false)],
])('%s', async (name, sql) => {
  await expect(`${sql}\n`).toMatchFileSnapshot(`snapshots/${name.replaceAll(/\W+/g, '-')}.sql`);
});
