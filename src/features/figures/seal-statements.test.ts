import { expect, test } from 'vitest';
import { dayStatements } from './seal-days.ts';
import { rollupStatements } from './seal-hours.ts';

// So that a reviewer sees the statements as they are sent.
test.each([
  ['sealing hours', rollupStatements],
  ['sealing days', dayStatements],
])('%s', async (name, statements) => {
  await expect(`${statements.join(';\n\n')}\n`).toMatchFileSnapshot(`snapshots/${name.replaceAll(' ', '-')}.sql`);
});
