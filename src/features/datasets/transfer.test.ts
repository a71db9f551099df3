import fc from 'fast-check';
import { readdir, rename } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { readCell, writeCell } from './csv-cell.ts';
import { openDatasetsService } from './datasets-service.fixture.ts';
import type { TestProject } from '../../../test/support/test-projects.ts';
import type { DatasetsService } from './datasets-service.fixture.ts';

let service: DatasetsService;
let project: TestProject;
beforeAll(async () => {
  service = await openDatasetsService();
  project = await service.project();
});
afterAll(() => service.close());

let names = 0;
async function dataset(items: readonly unknown[] = []): Promise<string> {
  const { body } = await service.request(project, 'POST', '/v1/datasets', { body: { name: `dataset ${++names}` } });
  const path = `/v1/datasets/${body.id}`;
  if (items.length > 0) {
    const answer = await service.request(project, 'POST', `${path}/items`, { body: JSON.stringify({ items }) });
    expect(answer.status, answer.text).toBe(201);
  }
  return path;
}

const types = { jsonl: 'application/x-ndjson', csv: 'text/csv; charset=utf-8' };
type Format = keyof typeof types;

async function importFile(path: string, format: Format, file: string | Uint8Array) {
  const answer = await fetch(`${service.url}${path}/import`, {
    method: 'POST',
    headers: { 'x-api-key': project.key, 'content-type': types[format] },
    body: file as string,
  });
  return { status: answer.status, body: JSON.parse(await answer.text()) };
}
const exportFile = async (path: string, format: Format) => {
  const answer = await service.request(project, 'GET', `${path}/export?format=${format}`);
  expect(answer.status).toBe(200);
  return answer;
};
const contents = async (path: string) =>
  (await service.request(project, 'GET', `${path}/items`)).body.items.map(
    ({ input, expectedOutput, metadata }: Record<string, unknown>) => JSON.stringify({ input, expectedOutput, metadata }),
  );
const written = (items: ReadonlyArray<{ input?: unknown; expectedOutput?: unknown; metadata?: unknown }>) =>
  items.map(({ input, expectedOutput, metadata = {} }) => JSON.stringify({ input, expectedOutput, metadata }));

describe('files', () => {
  test('JSONL is read line by line', async () => {
    const path = await dataset([{ input: 'there already' }]);
    const file =
      '\ufeff{"input":1}\r\n\n  \n{"metadata":{"a":1},"expectedOutput":null,"input":{"b":[]}}\n{"input":"last, without a line feed"}';
    expect(await importFile(path, 'jsonl', file)).toEqual({ status: 201, body: { imported: 3 } });
    expect(await contents(path)).toEqual(
      written([
        { input: 'there already' },
        { input: 1 },
        { input: { b: [] }, expectedOutput: null, metadata: { a: 1 } },
        { input: 'last, without a line feed' },
      ]),
    );
    expect((await service.request(project, 'GET', path)).body.itemCount).toBe(4);
  });

  test('CSV cells are parsed if they are valid JSON, else texts', async () => {
    const path = await dataset();
    const file = [
      '\ufeffexpectedOutput,input,metadata',
      '007,42,',
      ',"two\r\nlines, and a ""quote""","{""a"":[1]}"',
      '',
      'null,"""quoted""",{}',
      '"{""a"":1,}",true,',
      ' x ,,',
    ].join('\r\n');
    expect(await importFile(path, 'csv', file)).toEqual({ status: 201, body: { imported: 5 } });
    expect(await contents(path)).toEqual(
      written([
        { input: 42, expectedOutput: '007' },
        { input: 'two\r\nlines, and a "quote"', metadata: { a: [1] } },
        { input: 'quoted', expectedOutput: null },
        { input: true, expectedOutput: '{"a":1,}' },
        { input: '', expectedOutput: ' x ' },
      ]),
    );
  });

  test('are exported in both formats', async () => {
    const path = await dataset([
      { input: 'a "b"\n', expectedOutput: '=1+1', metadata: { n: 1 } },
      { input: { q: [1.5] }, expectedOutput: null },
      { input: '7' },
    ]);
    const jsonl = await exportFile(path, 'jsonl');
    expect(jsonl.text).toBe(
      '{"input":"a \\"b\\"\\n","expectedOutput":"=1+1","metadata":{"n":1}}\n{"input":{"q":[1.5]},"expectedOutput":null,"metadata":{}}\n{"input":"7","metadata":{}}\n',
    );
    expect(jsonl.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8');
    const csv = await exportFile(path, 'csv');
    expect(csv.text).toBe(
      'input,expectedOutput,metadata\n"a ""b""\n","""=1+1""","{""n"":1}"\n"{""q"":[1.5]}","null",\n"""7""",,\n',
    );
    expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(csv.headers.get('content-disposition')).toMatch(/^attachment; filename="dataset-[0-9a-f-]{36}\.csv"$/);
    expect((await service.request(project, 'GET', `${path}/export`)).text).toBe(jsonl.text);
    expect((await service.request(project, 'GET', `${path}/export?format=xml`)).status).toBe(400);
    const empty = await dataset();
    expect((await exportFile(empty, 'jsonl')).text).toBe('');
    expect((await exportFile(empty, 'csv')).text).toBe('input,expectedOutput,metadata\n');
  });
});

const hostile = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '007',
    '7',
    '-7',
    '1e5',
    'true',
    'null',
    '"',
    '""',
    '"a"',
    'a"b',
    '\n',
    '\r',
    '\r\n',
    'a\rb',
    ',',
    '=1+1',
    '+1',
    '-x',
    '@x',
    '＝1+1',
    '＋1',
    '－x',
    '＠x',
    '\ufeff',
    '\ufeffinput',
    '\u0000',
    '\ud800',
    'x\udfff',
    '\u2028',
    '\t',
    "'",
    'input',
    '{',
    '{}',
    '[1]',
    ' [1] ',
    '{"a":1}',
    '\\',
    '😀',
  ),
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.string({ unit: fc.constantFrom('"', '\n', '\r', ',', ';', 'a', ' ', '=', '\ufeff', '\\'), maxLength: 12 }),
  fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 6 }).map((units) => String.fromCharCode(...units)),
);
const anyJson = fc.oneof({ weight: 4, arbitrary: hostile }, { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) });

test('a written cell is read back unchanged and is not a formula', () => {
  fc.assert(
    fc.property(anyJson, (value) => {
      const json = JSON.stringify(value);
      const cell = writeCell(json);
      expect(JSON.stringify(readCell(cell))).toBe(json);
      expect(cell.isWellFormed()).toBe(true);
      expect(cell).not.toMatch(/^[=+@\t\r\n＝＋－＠]|^-\D/);
      // Where a program's separator is a semicolon or a tab, a cell begins there.
      expect(cell).not.toMatch(/[;\t\r\n][=+\-@＝＋－＠]/);
    }),
    { numRuns: 2000 },
  );
  expect(writeCell(JSON.stringify('x;=1+1;'))).toBe('"x\\u003b=1+1;"');
  expect(writeCell('{"a":"x;=1+1;"}')).toBe('{"a":"x\\u003b=1+1;"}');
  expect(writeCell('12345678901234567890')).toBe('12345678901234567890');
  expect(JSON.stringify(readCell('12345678901234567890'))).toBe('12345678901234567890');
});

// After a name of backslashes, V8's JSON.parse reads names that begin with an escape wrongly (nodejs/node#63785).
const name = hostile.filter((text) => !text.startsWith('\\'));

test.each(['jsonl', 'csv'] as const)('an export as %s is imported as the same items', async (format) => {
  const item = fc.record(
    { input: anyJson, expectedOutput: anyJson, metadata: fc.dictionary(name, anyJson, { maxKeys: 2 }) },
    { requiredKeys: ['input'] },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(item, { minLength: 1, maxLength: 6 }), async (items) => {
      const from = await dataset(items);
      const { text } = await exportFile(from, format);
      const to = await dataset();
      expect(await importFile(to, format, text)).toEqual({ status: 201, body: { imported: items.length } });
      expect(await contents(to)).toEqual(written(items));
      expect((await exportFile(to, format)).text).toBe(text);
    }),
    { numRuns: 40 },
  );
});

describe('an invalid row is named, and nothing is stored', () => {
  const good = '{"input":1}\n';
  test.each<[string, Format, string | Uint8Array, object]>([
    ['no JSON', 'jsonl', `${good}\n{"input":1,}\n${good}`, { line: 3, column: 12 }],
    ['JSON that breaks off', 'jsonl', `${good}{"input":`, { line: 2 }],
    ['a list', 'jsonl', `${good}[1]`, { line: 2 }],
    ['no input', 'jsonl', `${good}{"expectedOutput":1}`, { line: 2, column: 'input' }],
    ['a strange field', 'jsonl', `${good}{"input":1,"output":2}`, { line: 2, column: 'output' }],
    ['metadata that is a text', 'jsonl', `{"input":1,"metadata":"x"}`, { line: 1, column: 'metadata' }],
    ['bytes that are no UTF-8', 'jsonl', Buffer.from(`${good}{"input":"\xff"}`, 'latin1'), { line: 2 }],
    ['nesting without end', 'jsonl', `${good}{"input":${'['.repeat(200)}${']'.repeat(200)}}`, { line: 2 }],
    ['too large a value', 'jsonl', `${good}{"input":"${'x'.repeat(4_194_304)}"}`, { line: 2, column: 'input' }],
    ['too long a line', 'jsonl', `${good}{"input":"${'x'.repeat(8_388_608)}"}`, { line: 2 }],
    ['no header', 'csv', '1,2\n3,4', { line: 1, column: '1' }],
    ['a header without input', 'csv', 'expectedOutput\n3', { line: 1, column: 'input' }],
    ['a column twice', 'csv', 'input,input\n3,4', { line: 1, column: 'input' }],
    ['too many cells', 'csv', 'input\n"a\nb"\n"c\r\nd\re",2', { line: 4 }],
    ['too few cells', 'csv', 'input,metadata\n\n1', { line: 3 }],
    ['metadata that is a text', 'csv', 'input,metadata\n1,{}\n2,x', { line: 3, column: 'metadata' }],
    ['a quote that is not closed', 'csv', 'input\n1\n"2\n3', { line: 3 }],
    ['text after a quote', 'csv', 'input\n1\n"2"x\n3', { line: 3 }],
    ['a quote within a cell', 'csv', 'input\n1\na"b"\n3', { line: 3 }],
    ['bytes that are no UTF-8', 'csv', Buffer.from('input\nx\n"a\n\x81"', 'latin1'), { line: 4 }],
    ['nesting without end', 'csv', `input\n${'['.repeat(200)}${']'.repeat(200)}`, { line: 2, column: 'input' }],
  ])('%s (%s)', async (_what, format, file, place) => {
    const path = await dataset([{ input: 'there already' }]);
    const answer = await importFile(path, format, file);
    expect(answer).toMatchObject({
      status: 400,
      body: { code: 'invalid_request', error: expect.stringMatching(/^Line \d+/), details: [{}], ...place },
    });
    expect(await contents(path)).toEqual(written([{ input: 'there already' }]));
  });

  test.each<[Format, string]>([
    ['jsonl', ''],
    ['jsonl', '\n \n'],
    ['csv', ''],
    ['csv', 'input\n'],
  ])('an empty file (%s)', async (format, file) => {
    expect(await importFile(await dataset(), format, file)).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
  });

  test('another content type, and a dataset that would be too large', async () => {
    const path = await dataset();
    for (const type of ['application/json', 'multipart/form-data; boundary=x', 'text/plain']) {
      const headers = { 'content-type': type };
      expect(await service.request(project, 'POST', `${path}/import`, { body: good, headers })).toMatchObject({
        status: 415,
        body: { code: 'unsupported_media_type' },
      });
    }
    const compressed = { 'content-type': 'text/csv', 'content-encoding': 'gzip' };
    expect(await service.request(project, 'POST', `${path}/import`, { body: good, headers: compressed })).toMatchObject({
      status: 415,
      body: { error: 'Compressed bodies are not taken here; send it without content-encoding.' },
    });
    const tables = service.db;
    const id = path.split('/').at(-1) ?? '';
    await tables.updateTable('datasets').set({ item_count: 99_999 }).where('id', '=', id).execute();
    expect(await importFile(path, 'jsonl', good + good)).toMatchObject({ status: 409, body: { code: 'conflict' } });
    expect(await contents(path)).toEqual([]);
  });
});

describe('large files', () => {
  test('are streamed in and out, complete and in order', async () => {
    const rows = 12_000;
    const path = await dataset();
    const line = (n: number) => `{"input":{"n":${n},"text":"${'y'.repeat(500)}"},"metadata":{}}\n`;
    const file = Readable.from(
      (function* () {
        for (let n = 0; n < rows; n += 1) yield Buffer.from(line(n));
      })(),
    );
    const answer = await fetch(`${service.url}${path}/import`, {
      method: 'POST',
      headers: { 'x-api-key': project.key, 'content-type': 'application/x-ndjson' },
      body: file as never,
      duplex: 'half',
    } as RequestInit);
    expect(await answer.json()).toEqual({ imported: rows });
    const exported = await fetch(`${service.url}${path}/export`, { headers: { 'x-api-key': project.key } });
    let n = 0;
    let rest = '';
    for await (const chunk of exported.body as unknown as AsyncIterable<Uint8Array>) {
      rest += Buffer.from(chunk).toString('latin1');
      const lines = rest.split('\n');
      rest = lines.pop() ?? '';
      for (const text of lines) expect(`${text}\n` === line(n++)).toBe(true);
    }
    expect([n, rest]).toEqual([rows, '']);
    expect((await service.request(project, 'GET', path)).body.itemCount).toBe(rows);
  });

  test('over 64 MiB are refused while they are being sent', async () => {
    const path = await dataset();
    const block = Buffer.from(`{"input":"${'x'.repeat(1_048_560)}"}\n`);
    const file = Readable.from(
      (function* () {
        for (let n = 0; n < 70; n += 1) yield block;
      })(),
    );
    const answer = await fetch(`${service.url}${path}/import`, {
      method: 'POST',
      headers: { 'x-api-key': project.key, 'content-type': 'application/x-ndjson' },
      body: file as never,
      duplex: 'half',
    } as RequestInit);
    expect(answer.status).toBe(413);
    expect(await answer.json()).toMatchObject({ code: 'payload_too_large' });
    expect(await contents(path)).toEqual([]);
  });

  test('that are aborted store nothing, and slow ones delay no other request', async () => {
    const path = await dataset();
    const refused: number[] = [];
    const slow = Array.from({ length: 6 }, () => {
      const sending = httpRequest(`${service.url}${path}/import`, {
        method: 'POST',
        headers: { 'x-api-key': project.key, 'content-type': 'application/x-ndjson' },
      });
      sending.on('error', () => undefined);
      sending.on('response', (answer) => refused.push(answer.statusCode ?? 0));
      sending.write('{"input":1}\n');
      return sending;
    });
    // Four imports run concurrently; further ones are refused with Retry-After, and other requests are answered.
    await vi.waitFor(() => expect(refused).toEqual([503, 503]), { timeout: 20_000 });
    let answer = await importFile(path, 'jsonl', '{"input":2}');
    expect(answer).toMatchObject({ status: 503, body: { code: 'unavailable' } });
    const before = (await contents(path)).length;
    for (const sending of slow) sending.destroy();
    for (let round = 0; answer.status === 503 && round < 1000; round += 1)
      answer = await importFile(path, 'jsonl', '{"input":3}');
    expect(answer.status).toBe(201);
    expect(await contents(path)).toHaveLength(before + 1);
    expect((await readdir(service.temporaryDirectory)).filter((name) => name.startsWith('import-'))).toEqual([]);
  });

  test('are refused with 503 when their rows cannot be kept on disk, and nothing is imported', async () => {
    const path = await dataset();
    const away = `${service.temporaryDirectory}-away`;
    await rename(service.temporaryDirectory, away);
    const answer = await importFile(path, 'jsonl', '{"input":1}');
    await rename(away, service.temporaryDirectory);
    expect(answer).toMatchObject({ status: 503, body: { code: 'unavailable', error: expect.stringContaining('again') } });
    expect(await contents(path)).toEqual([]);
    expect(await importFile(path, 'jsonl', '{"input":1}')).toMatchObject({ status: 201 });
  });
});
