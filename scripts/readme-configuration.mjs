// Writes README.md's table of variables out of src/config.ts, between its heading and the next one. `test/readme.test.ts` checks it.
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
