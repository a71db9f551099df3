import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { configurationTable } from './support/configuration-table.ts';

test('README.md lists every variable as the configuration documents it', () => {
  const readme = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8');
  expect(readme, 'run: node scripts/run.mjs scripts/readme-configuration.mjs').toContain(configurationTable());
});

test('README.md names compression beside the batch size', () => {
  const readme = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8');
  expect(readme).toMatch(/OTEL_BSP_MAX_EXPORT_BATCH_SIZE=512\n.*OTEL_EXPORTER_OTLP_COMPRESSION=gzip/);
});

test('SECURITY.md names tests that are there', () => {
  const root = join(import.meta.dirname, '..');
  const named = [...readFileSync(join(root, 'SECURITY.md'), 'utf8').matchAll(/`((?:src|test|web|packages)\/[\w./-]+\.ts)`/g)].map(
    ([, path = '']) => path,
  );
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});
