import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemActor } from '../../contract/actor.ts';
import { abandonImport, addSlice, beginImport, endImport } from './import-slices.ts';
import { mergeImport, settleImports } from './merge-import.ts';
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
const contents = async (path: string) =>
  (await service.request(project, 'GET', `${path}/items`)).body.items.map(
    ({ input, expectedOutput, metadata }: Record<string, unknown>) => JSON.stringify({ input, expectedOutput, metadata }),
  );
const written = (items: ReadonlyArray<{ input?: unknown; expectedOutput?: unknown; metadata?: unknown }>) =>
  items.map(({ input, expectedOutput, metadata = {} }) => JSON.stringify({ input, expectedOutput, metadata }));

describe('an import of many items', () => {
  const file = (count: number) => Array.from({ length: count }, (_, index) => `{"input":${index}}`).join('\n');
  const rows = async (path: string) => {
    const { rows: counted } = await sql<{ count: number }>`SELECT count(*)::int AS count FROM dataset_items
      WHERE dataset_id = ${path.split('/').at(-1)}::uuid`.execute(service.db);
    return counted[0]?.count ?? 0;
  };

  test('is stored in slices between which the database serves others, and is shown at once', async () => {
    const path = await dataset([{ input: 'before' }]);
    let ended = false;
    const importing = importFile(path, 'jsonl', file(3_000)).finally(() => (ended = true));
    const stored = new Set<number>();
    const shown = new Set<string>();
    while (!ended) {
      stored.add(await rows(path));
      const { body } = await service.request(project, 'GET', `${path}/items?limit=1000`);
      shown.add(`${body.items.length} of ${(await service.request(project, 'GET', path)).body.itemCount}`);
    }
    expect(await importing).toEqual({ status: 201, body: { imported: 3_000 } });
    expect([...stored].filter((count) => count > 1 && count < 3_001).length).toBeGreaterThan(0);
    for (const seen of shown) expect(['1 of 1', '1 of 3001', '1000 of 3001']).toContain(seen);
    expect((await contents(path)).slice(0, 3)).toEqual(written([{ input: 'before' }, { input: 0 }, { input: 1 }]));
  });

  test('leaves nothing when its process ends', async () => {
    const path = await dataset([{ input: 'before' }]);
    const datasetId = path.split('/').at(-1) ?? '';
    const context = { db: service.db, clock: service.clock };
    const { organizationId, projectId } = project;
    const acting = { organizationId, projectId, actor: systemActor };
    const item = { input: '1', expectedOutput: null, metadata: '{}', externalId: null, source: null };
    const open = await beginImport(context, datasetId, { count: 2, identified: 0 });
    await addSlice(context, open, [item]);
    expect([await rows(path), await contents(path)]).toEqual([2, written([{ input: 'before' }])]);
    expect(await settleImports(context)).toBe(0);
    service.clock.advance(11 * 60_000);
    expect(await settleImports(context)).toBe(1);
    expect(await rows(path)).toBe(1);
    await expect(addSlice(context, open, [item])).rejects.toMatchObject({ code: 'unavailable' });
    await expect(endImport(context, acting, open)).rejects.toMatchObject({ code: 'unavailable' });
    expect((await service.request(project, 'GET', path)).body.itemCount).toBe(1);
  });

  test('of known ids is merged in slices between which the database serves others', async () => {
    const path = await dataset();
    const identified = (from: number, more: string) =>
      Array.from({ length: 500 }, (_, index) => `{"input":"${more}","externalId":"${index + from}"}`).join('\n');
    expect((await importFile(path, 'jsonl', identified(0, 'old'))).body).toEqual({ imported: 500 });
    const merged = async (): Promise<number> => {
      const { rows: states } = await sql<{ merged: number }>`SELECT count(*)::int AS merged FROM dataset_imports
        WHERE dataset_id = ${path.split('/').at(-1)}::uuid AND merged_place BETWEEN first_place AND last_place - 1`.execute(
        service.db,
      );
      return states[0]?.merged ?? 0;
    };
    let ended = false;
    let between = 0;
    const importing = importFile(path, 'jsonl', `${identified(200, 'lost')}\n${identified(200, 'new')}`).finally(
      () => (ended = true),
    );
    while (!ended) between += await merged();
    expect(between).toBeGreaterThan(0);
    expect(await importing).toEqual({ status: 201, body: { imported: 1_000, updated: 800 } });
    expect((await service.request(project, 'GET', path)).body.itemCount).toBe(700);
    const { rows: inputs } = await sql<{ input: string; count: number }>`SELECT input, count(*)::int AS count FROM dataset_items
      WHERE dataset_id = ${path.split('/').at(-1)}::uuid GROUP BY input ORDER BY input`.execute(service.db);
    expect(inputs).toEqual([
      { input: '"new"', count: 500 },
      { input: '"old"', count: 200 },
    ]);
  });

  test('is finished by a job when its process ends while it is merged', async () => {
    const path = await dataset([{ input: 'before', externalId: 'a' }]);
    const datasetId = path.split('/').at(-1) ?? '';
    const { organizationId, projectId } = project;
    const acting = { organizationId, projectId, actor: systemActor };
    const item = (input: string, externalId: string) =>
      ({ input, expectedOutput: null, metadata: '{}', externalId, source: null }) as const;
    const open = await beginImport(service, datasetId, { count: 3, identified: 3 });
    await addSlice(service, open, [item('1', 'a'), item('2', 'b'), item('3', 'b')]);
    const killed = new Error('killed');
    let transactions = 0;
    const dying = new Proxy(service.db, {
      get: (db, name) => {
        if (name === 'transaction' && ++transactions > 1) throw killed;
        const value: unknown = Reflect.get(db, name);
        return typeof value === 'function' ? value.bind(db) : value;
      },
    });
    await expect(mergeImport({ db: dying, clock: service.clock }, acting, open)).rejects.toBe(killed);
    await abandonImport(service, open.id);
    expect([await settleImports(service), await contents(path)]).toEqual([0, written([{ input: 'before' }])]);
    service.clock.advance(11 * 60_000);
    expect([await settleImports(service), await settleImports(service)]).toEqual([1, 0]);
    expect(await contents(path)).toEqual(written([{ input: 1 }, { input: 3 }]));
    expect((await service.request(project, 'GET', path)).body.itemCount).toBe(2);
    const { rows: entries } = await sql<{ detail: string }>`SELECT detail FROM audit_entries
      WHERE kind = 'dataset.item_changed' AND project_id = ${projectId}::uuid`.execute(service.db);
    expect(entries.map(({ detail }) => JSON.parse(detail))).toContainEqual({ datasetId, dataset: `dataset ${names}`, items: 1 });
  });

  test('with new ids is refused before it is merged where the dataset would be too large', async () => {
    const path = await dataset([{ input: 1, externalId: 'a' }]);
    await sql`UPDATE datasets SET item_count = 99999 WHERE id = ${path.split('/').at(-1)}::uuid`.execute(service.db);
    const both = '{"input":2,"externalId":"a"}\n{"input":3,"externalId":"b"}\n{"input":4,"externalId":"c"}';
    expect(await importFile(path, 'jsonl', both)).toMatchObject({ status: 409, body: { code: 'conflict' } });
    expect([await rows(path), await contents(path)]).toEqual([1, written([{ input: 1 }])]);
    expect((await importFile(path, 'jsonl', both.split('\n').slice(0, 2).join('\n'))).status).toBe(201);
  });
});
