import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestProject } from '../../../test/support/test-projects.ts';
import { openDatasetsService } from './datasets-service.fixture.ts';
import type { DatasetsService } from './datasets-service.fixture.ts';

let service: DatasetsService;
let project: TestProject;
beforeAll(async () => {
  service = await openDatasetsService();
  project = await service.project();
});
afterAll(() => service.close());

let names = 0;
const send = (method: string, path: string, body?: unknown) =>
  service.request(project, method, path, body === undefined ? {} : { body: body as object });
async function dataset(): Promise<string> {
  return `/v1/datasets/${(await send('POST', '/v1/datasets', { name: `external ${++names}` })).body.id}`;
}
async function importFile(path: string, query: string, file: string | Uint8Array, type = 'text/csv') {
  const answer = await fetch(`${service.url}${path}/import?${query}`, {
    method: 'POST',
    headers: { 'x-api-key': project.key, 'content-type': type },
    body: file as string,
  });
  return { status: answer.status, body: JSON.parse(await answer.text()) };
}
interface Item {
  id: string;
  input: unknown;
  expectedOutput?: unknown;
  metadata: object;
  externalId?: string;
}
const itemsOf = async (path: string): Promise<Item[]> => (await send('GET', `${path}/items`)).body.items;
const contents = async (path: string) =>
  (await itemsOf(path)).map(({ input, expectedOutput, metadata, externalId }) => ({
    input,
    expectedOutput,
    metadata,
    externalId,
  }));
const columns = (named: object) => `columns=${encodeURIComponent(JSON.stringify(named))}`;

describe('an item with an externalId', () => {
  test('sent again updates the item, keeps its id, and is recorded', async () => {
    const path = await dataset();
    const first = await send('POST', `${path}/items`, {
      items: [{ input: 1, externalId: 'a' }, { input: 2 }, { input: 3, externalId: 'b' }],
    });
    expect(first.body.items.map(({ externalId }: Item) => externalId)).toEqual(['a', undefined, 'b']);
    const again = await send('POST', `${path}/items`, {
      items: [
        { input: 4, externalId: 'c' },
        { input: 'new', expectedOutput: 1, metadata: { m: 1 }, externalId: 'a' },
        { input: 2 },
        { input: 3, externalId: 'b' },
        { input: 5, externalId: 'c' },
      ],
    });
    expect(again.status).toBe(201);
    const ids = again.body.items.map(({ id }: Item) => id);
    expect([ids[1], ids[3], ids[0]]).toEqual([first.body.items[0].id, first.body.items[2].id, ids[4]]);
    expect(await contents(path)).toEqual([
      { input: 'new', expectedOutput: 1, metadata: { m: 1 }, externalId: 'a' },
      { input: 2, metadata: {} },
      { input: 3, metadata: {}, externalId: 'b' },
      { input: 2, metadata: {} },
      { input: 5, metadata: {}, externalId: 'c' },
    ]);
    expect((await send('GET', path)).body.itemCount).toBe(5);
    const { rows } = await sql<{ detail: string }>`SELECT detail FROM audit_entries
      WHERE kind = 'dataset.item_changed' AND project_id = ${project.projectId}::uuid`.execute(service.db);
    expect(rows.map(({ detail }) => JSON.parse(detail))).toEqual([
      { datasetId: path.split('/').at(-1), dataset: `external ${names}`, items: 1 },
    ]);
  });

  test('has at most 200 characters, and no other item of the dataset has it', async () => {
    const path = await dataset();
    for (const externalId of ['', '😀'.repeat(201), 'a\0', 7]) {
      expect((await send('POST', `${path}/items`, { input: 1, externalId })).status, String(externalId)).toBe(400);
    }
    expect((await send('POST', `${path}/items`, { input: 1, externalId: '😀'.repeat(200) })).status).toBe(201);
    const { body } = await send('POST', `${path}/items`, {
      items: [
        { input: 1, externalId: 'a' },
        { input: 2, externalId: 'b' },
      ],
    });
    const one = `${path}/items/${body.items[0].id}`;
    expect(await send('PATCH', one, { externalId: 'b' })).toMatchObject({ status: 409, body: { code: 'conflict' } });
    expect((await send('PATCH', one, { externalId: 'z' })).body).toMatchObject({ externalId: 'z', input: 1 });
    expect((await send('PATCH', one, { externalId: null })).body).not.toHaveProperty('externalId');
    const other = await dataset();
    expect((await send('POST', `${other}/items`, { input: 1, externalId: 'b' })).status).toBe(201);
  });

  test('imported again, in any order and with repetitions, is as the last row of each id says', async () => {
    const row = fc.record({
      input: fc.nat(9),
      externalId: fc.option(fc.constantFrom('a', 'b', '007', 'x,"y"'), { nil: undefined }),
    });
    const file = fc.array(row, { minLength: 1, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(fc.array(file, { minLength: 1, maxLength: 3 }), fc.constantFrom('csv', 'jsonl'), async (files, format) => {
        const path = await dataset();
        // The oracle: one list, in which an id is replaced where it stands, or added at its last row.
        const expected: Array<(typeof files)[0][0]> = [];
        for (const rows of files) {
          const lasts = rows.filter(
            ({ externalId }, index) =>
              externalId === undefined || !rows.slice(index + 1).some((later) => later.externalId === externalId),
          );
          for (const one of lasts) {
            const known =
              one.externalId === undefined ? -1 : expected.findIndex(({ externalId }) => externalId === one.externalId);
            if (known >= 0) expected[known] = one;
            else expected.push(one);
          }
          const text =
            format === 'jsonl'
              ? rows.map((one) => JSON.stringify(one)).join('\n')
              : [
                  'input,externalId',
                  ...rows.map(({ input, externalId = '' }) => `${input},"${externalId.replaceAll('"', '""')}"`),
                ].join('\n');
          expect(await importFile(path, `format=${format}`, text)).toMatchObject({
            status: 201,
            body: { imported: rows.length },
          });
        }
        expect((await itemsOf(path)).map(({ input, externalId }) => ({ input, externalId }))).toEqual(
          expected.map(({ input, externalId }) => ({ input, externalId })),
        );
        expect((await send('GET', path)).body.itemCount).toBe(expected.length);
        const exported = await service.request(project, 'GET', `${path}/export?format=${format}`);
        const copy = await dataset();
        expect((await importFile(copy, `format=${format}`, exported.text)).status).toBe(201);
        expect(await contents(copy)).toEqual(await contents(path));
      }),
      { numRuns: 20 },
    );
  });
});

describe('a CSV file of real people', () => {
  const rows = [
    ['question', 'answer', 'topic', 'id'],
    ['Où est "Zoë"?', '42', 'a;b,c\td', '007'],
    ['two\nlines', '', '', 'b'],
  ];
  const written = (delimiter: string) =>
    rows.map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(delimiter)).join('\r\n');
  const expected = [
    { input: 'Où est "Zoë"?', expectedOutput: 42, metadata: { topic: 'a;b,c\td' }, externalId: '007' },
    { input: 'two\nlines', metadata: {}, externalId: 'b' },
  ];
  const chosen = columns({ input: 'question', expectedOutput: 'answer', metadata: ['topic'], externalId: 'id' });
  const swapped = (text: string) => Buffer.from(text, 'utf16le').swap16();

  test.each([
    ['utf-8', (text: string) => Buffer.from(text)],
    ['utf-8', (text: string) => Buffer.from(`\ufeff${text}`)],
    ['utf-16le', (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')],
    ['utf-16le', (text: string) => Buffer.from(text, 'utf16le')],
    ['utf-16be', (text: string) => swapped(`\ufeff${text}`)],
    ['utf-16be', swapped],
    ['windows-1252', (text: string) => Buffer.from(text, 'latin1')],
  ])('in %s with any delimiter has its columns chosen', async (encoding, encode) => {
    for (const delimiter of [',', ';', '\t']) {
      const path = await dataset();
      const file = encode(written(delimiter));
      expect(await importFile(path, `${chosen}&dryRun=true`, file)).toEqual({
        status: 200,
        body: { items: expected, encoding, delimiter, columns: rows[0] },
      });
      expect(await itemsOf(path)).toEqual([]);
      expect(await importFile(path, chosen, file)).toEqual({ status: 201, body: { imported: 2 } });
      expect(await importFile(path, chosen, file)).toEqual({ status: 201, body: { imported: 2, updated: 2 } });
      expect(await contents(path)).toEqual(expected);
    }
  });

  test('names the parts in any case, and its header where they are not known', async () => {
    const path = await dataset();
    const named = await importFile(path, 'dryRun', 'Input;Expected Output;external_id\n1;2;x');
    expect(named.body.items).toEqual([{ input: 1, expectedOutput: 2, metadata: {}, externalId: 'x' }]);
    expect(await importFile(path, '', written(';'))).toMatchObject({ status: 400, body: { line: 1, columns: rows[0] } });
    expect(await importFile(path, columns({ input: 'nowhere' }), written(';'))).toMatchObject({
      status: 400,
      body: { line: 1, column: 'nowhere', columns: rows[0] },
    });
    const several = await importFile(
      path,
      `${columns({ input: ['question', 'topic'], metadata: 'id' })}&dryRun=true`,
      written(','),
    );
    expect(several.body.items[0]).toEqual({ input: { question: 'Où est "Zoë"?', topic: 'a;b,c\td' }, metadata: { id: '007' } });
  });

  test('previews 20 rows, of JSON lines with chosen fields too', async () => {
    const path = await dataset();
    const lines = Array.from({ length: 30 }, (_, n) => JSON.stringify({ q: n, id: n, more: true })).join('\n');
    const query = `${columns({ input: 'q', externalId: 'id' })}&dryRun=true&format=jsonl`;
    const { status, body } = await importFile(path, query, lines, 'application/octet-stream');
    expect([status, body.items.length, body.items[19], body.delimiter]).toEqual([
      200,
      20,
      { input: 19, metadata: {}, externalId: '19' },
      null,
    ]);
    expect(await itemsOf(path)).toEqual([]);
  });

  test.each(['columns=x', 'columns={}', columns({ input: [] }), columns({ input: 'a', other: 'b' }), 'format=xml', 'dryRun=1'])(
    '%s is refused',
    async (query) => {
      expect(await importFile(await dataset(), query, 'input\n1')).toMatchObject({
        status: 400,
        body: { code: 'invalid_request' },
      });
    },
  );
});
