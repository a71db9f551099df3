import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { configurationTable } from './support/configuration-table.ts';

test('README.md lists every variable as the configuration documents it', () => {
  const readme = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8');
  expect(readme, 'run: node scripts/run.mjs scripts/readme-configuration.mjs').toContain(configurationTable());
});
