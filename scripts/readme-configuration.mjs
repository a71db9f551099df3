// Writes the table of variables in README.md from src/config.ts. `test/readme.test.ts` fails when they differ.
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { configurationTable } from '../test/support/configuration-table.ts';

const file = join(dirname(fileURLToPath(import.meta.url)), '../README.md');
const text = readFileSync(file, 'utf8');
writeFileSync(
  file,
  text.replace(
    /(## Configuration\n[\s\S]*?\n)\| variable[\s\S]*?(\n\n## )/,
    (_, before, after) => `${before}${configurationTable()}${after}`,
  ),
);
