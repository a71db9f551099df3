import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemActor } from '../../contract/actor.ts';
import { abandonImports, addSlice, beginImport, endImport } from './import-slices.ts';
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
    expect(await abandonImports(context)).toBe(0);
    service.clock.advance(11 * 60_000);
    expect(await abandonImports(context)).toBe(1);
    expect(await rows(path)).toBe(1);
    await expect(addSlice(context, open, [item])).rejects.toMatchObject({ code: 'unavailable' });
    await expect(endImport(context, acting, open)).rejects.toMatchObject({ code: 'unavailable' });
    expect((await service.request(project, 'GET', path)).body.itemCount).toBe(1);
  });
});
