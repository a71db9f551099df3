import { expect, test } from 'vitest';
import * as queries from './last-seen-sql.ts';

// The texts do not contain the tenant filter: the engine adds it to every table.
const texts = Object.entries(queries).filter(([, text]) => typeof text === 'string');

test.each(texts)('the query %s is the one reviewed', async (name, text) => {
  await expect(`${text}\n`).toMatchFileSnapshot(`queries/${name}.sql`);
});
