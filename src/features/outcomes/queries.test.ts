import { expect, test } from 'vitest';
import { daysSql, groupsSql, kindsSql } from './outcomes-sql.ts';
import { traceOutcomesSql } from './outcomes-of-trace.ts';

const all = { oneKind: false, traces: null };
const traces = 'traces FINAL\nWHERE 1 = 1';

// The texts do not contain the tenant filter: the engine adds it to every table.
const queries: Record<string, string> = {
  kinds: kindsSql(all),
  days: daysSql(all),
  'days-of-one-kind': daysSql({ ...all, oneKind: true }),
  'kinds-of-some-traces': kindsSql({ ...all, traces }),
  groups: groupsSql(traces, all),
  'outcomes-of-trace': traceOutcomesSql,
};

test.each(Object.entries(queries))('the query %s is the one reviewed', async (name, text) => {
  await expect(`${text}\n`).toMatchFileSnapshot(`queries/${name}.sql`);
});
