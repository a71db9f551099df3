import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { alertTypeNames, alertTypes } from './index.ts';

const root = join(import.meta.dirname, '../../..');
const section = readFileSync(join(root, 'docs/semantics/operations.md'), 'utf8');

test('every file of a type is in the list', () => {
  const files = globSync('*.ts', { cwd: import.meta.dirname }).filter(
    (file) => !/^(?:index|alert-type|figure-text|.*\.test)\.ts$/.test(file),
  );
  expect(files.toSorted()).toEqual(alertTypeNames.map((name) => `${name}.ts`).toSorted());
});

test.each(alertTypeNames)('%s is described as docs/semantics.md says', (name) => {
  const { minCount, filters, groups, threshold, window, figure, summary, hint } = alertTypes[name];
  const row = section.split('\n').find((line) => line.startsWith(`| \`${name}\` |`));
  expect(row).toBeDefined();
  if (minCount) expect(row).toContain(`| ${minCount.default} `);
  expect(minCount === null, 'a type that counts nothing cannot be narrowed').toBe(filters.length + groups.length === 0);
  if (threshold) expect(window, 'a threshold is of a window').toBe(true);
  if (window) expect(figure).not.toBeNull();
  expect(summary({ value: '3', of: ' of model m', last: 'in the last hour', count: null })).not.toMatch(
    /[.\n]$|^[a-z]|undefined/,
  );
  expect(hint).toMatch(/^[A-Za-z].*\.$/);
});
