import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const read = (name: string) => readFileSync(join(import.meta.dirname, name), 'utf8');

test('every file of the contract with schemas is named in the OpenAPI document', () => {
  const withSchemas = globSync('*.ts', { cwd: import.meta.dirname }).filter(
    (name) => !/^schemas|\.test\.ts$/.test(name) && /^import \{ z \} from 'zod';$/m.test(read(name)),
  );
  const listed = [...read('schemas.ts').matchAll(/^import \* as \w+ from '\.\/([\w-]+\.ts)';$/gm)].map(([, name]) => name);
  expect(withSchemas.length).toBeGreaterThan(25);
  expect(listed.toSorted()).toEqual(withSchemas.toSorted());
});
