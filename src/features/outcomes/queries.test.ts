import { expect, test } from 'vitest';
import { daysSql, groupsSql, kindsSql } from './outcomes-sql.ts';
import { traceOutcomesSql } from './outcomes-of-trace.ts';

// The texts do not contain the tenant filter: the engine adds it to every table.
const queries: Record<string, string> = {
  kinds: kindsSql,
  days: daysSql(false),
  'days-of-one-kind': daysSql(true),
  groups: groupsSql('traces FINAL\nWHERE 1 = 1', false),
  'outcomes-of-trace': traceOutcomesSql,
};

test.each(Object.entries(queries))('the query %s is the one reviewed', async (name, text) => {
  await expect(`${text}\n`).toMatchFileSnapshot(`queries/${name}.sql`);
});
