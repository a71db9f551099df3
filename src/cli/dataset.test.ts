import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { openDatasetsService } from '../features/datasets/datasets-service.fixture.ts';
import type { TestProject } from '../../test/support/test-projects.ts';
import type { DatasetsService } from '../features/datasets/datasets-service.fixture.ts';
import { datasetCommand } from './dataset.ts';

let service: DatasetsService;
let project: TestProject;
let directory: string;
let printed = '';
beforeAll(async () => {
  service = await openDatasetsService();
  project = await service.project();
  directory = await mkdtemp(join(tmpdir(), 'spanwise-dataset-command-'));
});
afterAll(async () => {
  await service.close();
  await rm(directory, { recursive: true, force: true });
});
beforeEach(() => {
  printed = '';
  for (const stream of [process.stderr, process.stdout]) {
    vi.spyOn(stream, 'write').mockImplementation((text, ...more) => {
      printed += String(text);
      for (const callback of more) if (typeof callback === 'function') callback();
      return true;
    });
  }
});
afterEach(() => vi.restoreAllMocks());

async function run(name: string, ...parameters: string[]): Promise<void> {
  const command = datasetCommand().exitOverride();
  for (const one of command.commands) one.exitOverride();
  await command.parseAsync([name, '--url', service.url, ...parameters], { from: 'user' });
}
const withKey = (name: string, ...parameters: string[]) => run(name, '--key', project.key, ...parameters);
const make = async (name: string): Promise<string> =>
  (await service.request(project, 'POST', '/v1/datasets', { body: { name } })).body.id;

test('a file is imported into a dataset and exported unchanged', async () => {
  await make('Von Namen / by name');
  const id = await make('by id');
  const jsonl = join(directory, 'items.jsonl');
  await writeFile(jsonl, '{"input":1}\n{"input":"two","expectedOutput":[2]}\n');
  await withKey('import', 'Von Namen / by name', jsonl);
  expect(printed).toBe('imported 2 items\n');
  const csv = join(directory, 'items.CSV');
  await withKey('export', 'Von Namen / by name', csv);
  expect(await readFile(csv, 'utf8')).toBe('input,expectedOutput,metadata\n"1",,\n"two","[2]",\n');
  await withKey('import', id.toUpperCase(), csv);
  const again = join(directory, 'again');
  await withKey('export', id, again);
  expect(await readFile(again, 'utf8')).toBe('{"input":1,"metadata":{}}\n{"input":"two","expectedOutput":[2],"metadata":{}}\n');
  printed = '';
  await withKey('export', id, '-', '--format', 'csv');
  expect(printed).toBe(await readFile(csv, 'utf8'));
});

test.each([
  ['a bad row', ['import', 'wrong', 'bad.jsonl'], /answered 400: Line 2, column metadata: must be a JSON object/],
  ['no such dataset', ['import', 'nowhere', 'bad.jsonl'], /no dataset nowhere/],
  ['no such id', ['export', '0197ffff-0000-7000-8000-000000000000', '-'], /answered 404/],
  ['no such file', ['import', 'wrong', 'missing.jsonl'], /cannot be read \(ENOENT\)/],
  ['a directory that is not there', ['export', 'wrong', 'missing/x.csv'], /cannot be written \(ENOENT\)/],
  ['a strange format', ['export', 'wrong', 'x', '--format', 'xml'], /Allowed choices are jsonl, csv/],
])('%s is reported in one line', async (what, [command = '', name = '', file = '', ...more], told) => {
  await service.request(project, 'POST', '/v1/datasets', { body: { name: 'wrong' } });
  await writeFile(join(directory, 'bad.jsonl'), '{"input":1}\n{"input":1,"metadata":2}\n');
  await expect(withKey(command, name, file === '-' ? file : join(directory, file), ...more), what).rejects.toThrow(told);
});

test('a wrong key, a missing key and an unreachable service are reported', async () => {
  await expect(run('export', 'x', '-', '--key', 'spw_wrong')).rejects.toThrow(/answered 401/);
  await expect(run('export', 'x', '-')).rejects.toThrow(/--key/);
  await expect(withKey('export', 'x', '-', '--url', 'http://127.0.0.1:1')).rejects.toThrow(/cannot be reached/);
  await expect(withKey('export', 'x', '-', '--url', 'here')).rejects.toThrow(/--url/);
});
