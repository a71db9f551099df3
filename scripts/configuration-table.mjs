// Writes the table of variables in docs/guides/configuration.md from src/config.ts. `test/readme.test.ts` fails when they differ.
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { configurationTable } from '../test/support/configuration-table.ts';

const file = join(dirname(fileURLToPath(import.meta.url)), '../docs/guides/configuration.md');
const text = readFileSync(file, 'utf8');
writeFileSync(
  file,
  text.replace(/\| variable[\s\S]*?(?=\n\n|\n$)/, () => configurationTable()),
);
