import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { lstat, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { openDatasetsService } from '../../features/datasets/datasets-service.fixture.ts';
import type { TestProject } from '../../../test/support/test-projects.ts';
import type { DatasetsService } from '../../features/datasets/datasets-service.fixture.ts';
import { runClient } from './command-io.fixture.ts';
import type { RecordedTerminal } from './terminal/recorded-terminal.fixture.ts';

let service: DatasetsService;
let project: TestProject;
let directory: string;
beforeAll(async () => {
  service = await openDatasetsService();
  project = await service.project();
  directory = await mkdtemp(join(tmpdir(), 'spanwise-dataset-command-'));
});
afterAll(async () => {
  await service.close();
  await rm(directory, { recursive: true, force: true });
});
afterEach(() => vi.restoreAllMocks());

const run = (name: string, ...parameters: string[]): Promise<RecordedTerminal> =>
  runClient(['dataset', name, '--url', service.url, ...parameters]);
const withKey = (name: string, ...parameters: string[]) => run(name, '--key', project.key, ...parameters);
const make = async (name: string): Promise<string> =>
  (await service.request(project, 'POST', '/v1/datasets', { body: { name } })).body.id;

test('a file is imported into a dataset and exported unchanged', async () => {
  await make('Von Namen / by name');
  const id = await make('by id');
  const jsonl = join(directory, 'items.jsonl');
  await writeFile(jsonl, '{"input":1}\n{"input":"two","expectedOutput":[2]}\n');
  expect(await withKey('import', 'Von Namen / by name', jsonl)).toMatchObject({ code: 0, warned: ['imported 2 items'] });
  const single = join(directory, 'single.jsonl');
  await writeFile(single, '{"input":3}\n');
  const third = await make('single');
  expect(await withKey('import', third, single)).toMatchObject({ code: 0, warned: ['imported 1 item'] });
  const csv = join(directory, 'items.CSV');
  expect(await withKey('export', 'Von Namen / by name', csv)).toMatchObject({ code: 0 });
  expect(await readFile(csv, 'utf8')).toBe('input,expectedOutput,metadata\n"1",,\n"two","[2]",\n');
  const { output } = await withKey('import', id.toUpperCase(), csv, '--json');
  expect(JSON.parse(output)).toEqual({ datasetId: id.toUpperCase(), imported: 2 });
  const again = join(directory, 'again');
  expect(JSON.parse((await withKey('export', id, again, '--json')).output)).toEqual({ datasetId: id, file: again });
  expect(await readFile(again, 'utf8')).toBe('{"input":1,"metadata":{}}\n{"input":"two","expectedOutput":[2],"metadata":{}}\n');
  let printed = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((text, ...more) => {
    printed += String(text);
    for (const callback of more) if (typeof callback === 'function') callback();
    return true;
  });
  await withKey('export', id, '-', '--format', 'csv');
  expect(printed).toBe(await readFile(csv, 'utf8'));
});

test.each([
  ['a bad row', ['import', 'wrong', 'bad.jsonl'], 1, /answered 400: Line 2, column metadata: must be a JSON object/],
  ['no such dataset', ['import', 'nowhere', 'bad.jsonl'], 1, /no dataset nowhere/],
  ['no such id', ['export', '0197ffff-0000-7000-8000-000000000000', '-'], 1, /answered 404/],
  ['no such file', ['import', 'wrong', 'missing.jsonl'], 1, /cannot be read \(ENOENT\)/],
  ['a directory that is not there', ['export', 'wrong', 'missing/x.csv'], 1, /cannot be written \(ENOENT\)/],
  ['a strange format', ['export', 'wrong', 'x', '--format', 'xml'], 2, /Allowed choices are jsonl, csv/],
  ['items and a report on standard output', ['export', 'wrong', '-', '--json'], 2, /name a file/],
])('%s is reported in one line', async (what, [command = '', name = '', file = '', ...more], code, told) => {
  await service.request(project, 'POST', '/v1/datasets', { body: { name: 'wrong' } });
  await writeFile(join(directory, 'bad.jsonl'), '{"input":1}\n{"input":1,"metadata":2}\n');
  const terminal = await withKey(command, name, file === '-' ? file : join(directory, file), ...more);
  expect(terminal, what).toMatchObject({ code, errors: expect.stringMatching(told) });
});

test('an export ends without an error when what reads it ends first, as a process', async () => {
  const id = await make('large');
  const items = Array.from({ length: 50 }, () => ({ input: 'x'.repeat(10_000) }));
  await service.request(project, 'POST', `/v1/datasets/${id}/items`, { body: { items } });
  const main = join(import.meta.dirname, '../main.ts');
  const child = spawn(process.execPath, [main, 'dataset', 'export', id, '-'], {
    env: { ...process.env, SPANWISE_URL: service.url, SPANWISE_API_KEY: project.key },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stdout.destroy();
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  expect([...(await once(child, 'close')), errors]).toEqual([0, null, '']);
}, 30_000);

test('an export that breaks off leaves the file that is there as it was', async () => {
  const file = join(directory, 'kept.jsonl');
  await writeFile(file, 'before\n');
  const id = await make('kept');
  const server = createServer(({ url: path }, answer) => {
    if (path === '/v1/sdk/whoami') return void answer.end(JSON.stringify({ projectId: project.projectId }));
    answer.writeHead(200, { 'content-type': 'application/x-ndjson' });
    answer.write('{"input":1}\n', () => answer.destroy());
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  expect(await withKey('export', id, file, '--url', url)).toMatchObject({
    code: 2,
    errors: expect.stringContaining('broke off'),
  });
  expect(await readFile(file, 'utf8')).toBe('before\n');
  expect((await readdir(directory)).filter((name) => name.startsWith('kept'))).toEqual(['kept.jsonl']);
  await new Promise((resolve) => void server.close(resolve));

  const link = join(directory, 'link.jsonl');
  await symlink(file, link);
  expect(await withKey('export', id, link)).toMatchObject({ code: 0 });
  expect(await readFile(file, 'utf8')).toBe('');
  expect((await lstat(link)).isSymbolicLink()).toBe(true);
});

test('a wrong key is refused; a missing key and an unreachable service are usage', async () => {
  expect(await run('export', 'x', '-', '--key', 'spw_wrong')).toMatchObject({
    code: 1,
    errors: expect.stringContaining('answered 401'),
  });
  expect(await run('export', 'x', '-')).toMatchObject({ code: 2, errors: expect.stringContaining('--key') });
  for (const [url, told] of [
    ['http://127.0.0.1:1', 'cannot be reached'],
    ['here', '--url'],
  ] as const)
    expect(await withKey('export', 'x', '-', '--url', url)).toMatchObject({ code: 2, errors: expect.stringContaining(told) });
});
