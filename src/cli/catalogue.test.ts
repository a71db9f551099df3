import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { readCatalogue, shippedCatalogue } from '../features/model-lifecycle/stored-catalogue.ts';
import { catalogueIn } from '../features/model-lifecycle/index.ts';
import { catalogueCommand } from './catalogue.ts';
import { runProgram } from './client/run-command.ts';
import { RecordedTerminal } from './client/terminal/recorded-terminal.fixture.ts';
import { withPostgres } from './with-postgres.ts';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'spanwise-catalogue-'));
  vi.stubEnv('SPANWISE_DATA_DIR', join(directory, 'data'));
});
afterEach(() => void vi.restoreAllMocks());
afterAll(async () => {
  vi.unstubAllEnvs();
  await rm(directory, { recursive: true, force: true });
});

/** Imports a file of this content; undefined: one that is not there. */
async function importFile(content?: string): Promise<{ code: number | null; printed: unknown[]; errors: string; file: string }> {
  const file = join(directory, content === undefined ? 'missing.json' : 'catalogue.json');
  if (content !== undefined) await writeFile(file, content);
  const printed: unknown[] = [];
  vi.spyOn(console, 'log').mockImplementation((line) => void printed.push(line));
  const terminal = new RecordedTerminal();
  await runProgram(new Command('spanwise').addCommand(catalogueCommand()), ['catalogue', 'import', file], terminal);
  return { code: terminal.code, printed, errors: terminal.errors, file };
}

const facts = async () =>
  (await shippedCatalogue()).models.map((entry) => ({ ...entry, note: 'of the publisher', previous: [] }));

test('the published facts, an array of models, replace the catalogue', async () => {
  const models = await facts();
  expect(await importFile(JSON.stringify(models))).toMatchObject({
    errors: '',
    // The newest day on which one of the shipped dates was checked.
    printed: [`The catalogue has ${models.length} models, reviewed on 2026-11-15`],
  });
  const stored = await withPostgres(({ db }) => readCatalogue(db));
  expect(stored.reviewedOn).toBe('2026-11-15');
  expect(stored.list([])).toHaveLength(models.length);
});

test('a catalogue file states when it was reviewed', async () => {
  const { printed } = await importFile(JSON.stringify({ reviewedOn: '2026-11-20', models: (await facts()).slice(0, 2) }));
  expect(printed).toEqual(['The catalogue has 2 models, reviewed on 2026-11-20']);
});

test('models that name no day were reviewed on the day of the import', () => {
  const models = [{ provider: 'acme', model: 'acme-1', retiresOn: '2027-01-31', certainty: 'firm' }];
  expect(catalogueIn(models, new Date(Date.UTC(2026, 10, 27, 23, 59))).data).toMatchObject({ reviewedOn: '2026-11-27' });
});

test.each([
  ['is missing', undefined, 'cannot be read (ENOENT); nothing was changed'],
  ['is not JSON', '{"reviewedOn": ', 'is not JSON; nothing was changed'],
])('a file that %s is refused with a sentence', async (_case, content, sentence) => {
  const { code, errors, printed, file } = await importFile(content);
  expect([code, errors, printed]).toEqual([1, `spanwise: ${file} ${sentence}`, []]);
});

test.each([['[]'], ['{}'], ['5'], ['[{"provider": "acme"}]']])('%s is refused as no catalogue', async (content) => {
  const { code, errors, file } = await importFile(content);
  expect(code).toBe(1);
  expect(errors).toContain(`spanwise: ${file} is no catalogue; nothing was changed.`);
});
