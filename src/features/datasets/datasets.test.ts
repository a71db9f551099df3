import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { nowMs, openDatasetsService } from './datasets-service.fixture.ts';
import type { TestProject } from '../../../test/support/test-projects.ts';
import type { DatasetsService } from './datasets-service.fixture.ts';

let service: DatasetsService;
let project: TestProject;
let other: TestProject;
beforeAll(async () => {
  service = await openDatasetsService();
  project = await service.project();
  other = await service.project();
});
afterAll(() => service.close());

let names = 0;
async function made(body: object = {}): Promise<{ id: string }> {
  const answer = await service.request(project, 'POST', '/v1/datasets', { body: { name: `dataset ${++names}`, ...body } });
  expect(answer.status, answer.text).toBe(201);
  return answer.body;
}
const nobody = '0197ffff-0000-7000-8000-000000000000';

describe('datasets', () => {
  test('are created, read, changed and deleted', async () => {
    const fields = { name: '  Questions ', description: 'from production', metadata: { team: ['a', { b: null }] } };
    const answer = await service.request(project, 'POST', '/v1/datasets', { body: fields });
    expect(answer.status).toBe(201);
    const now = new Date(nowMs).toISOString();
    const record = {
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
      projectId: project.projectId,
      ...fields,
      name: 'Questions',
      itemCount: 0,
      createdAt: now,
      updatedAt: now,
    };
    expect(answer.body).toEqual(record);
    const path = `/v1/datasets/${answer.body.id}`;
    expect(await service.request(project, 'GET', path.toUpperCase().replace('/V1/DATASETS', '/v1/datasets'))).toMatchObject({
      status: 200,
      body: record,
    });

    service.clock.advance(1000);
    const changed = await service.request(project, 'PATCH', path, { body: { name: 'Answers', description: null } });
    expect(changed).toMatchObject({ status: 200 });
    const updatedAt = new Date(nowMs + 1000).toISOString();
    expect(changed.body).toEqual({ ...record, name: 'Answers', description: null, updatedAt });
    expect((await service.request(project, 'PATCH', path, { body: {} })).body).toMatchObject({ metadata: fields.metadata });

    expect((await service.request(project, 'DELETE', path)).status).toBe(204);
    for (const method of ['GET', 'PATCH', 'DELETE']) {
      const gone = await service.request(project, method, path, method === 'PATCH' ? { body: {} } : {});
      expect(gone).toMatchObject({ status: 404, body: { code: 'not_found' } });
    }
  });

  test('have unique names within the project', async () => {
    await made({ name: 'taken' });
    const { id } = await made({ name: 'free' });
    const conflict = { status: 409, body: { code: 'conflict' } };
    expect(await service.request(project, 'POST', '/v1/datasets', { body: { name: 'taken' } })).toMatchObject(conflict);
    expect(await service.request(project, 'PATCH', `/v1/datasets/${id}`, { body: { name: 'taken' } })).toMatchObject(conflict);
    expect((await service.request(project, 'PATCH', `/v1/datasets/${id}`, { body: { name: 'free' } })).status).toBe(200);
    expect((await service.request(other, 'POST', '/v1/datasets', { body: { name: 'taken' } })).status).toBe(201);
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => service.request(project, 'POST', '/v1/datasets', { body: { name: 'all at once' } })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409, 409, 409]);
  });

  test.each([
    ['no name', {}],
    ['an empty name', { name: ' ' }],
    ['a name of 201 characters', { name: 'é'.repeat(201) }],
    ['a control character', { name: 'a\u0000b' }],
    ['half a surrogate pair', { name: 'a\ud800' }],
    ['a number as a name', { name: 1 }],
    ['a list as metadata', { name: 'x', metadata: [] }],
    ['an unknown field', { name: 'x', color: 'red' }],
    ['a NUL in the description', { name: 'x', description: '\0' }],
    ['a list', []],
  ])('refuse %s', async (_what, body) => {
    const answer = await service.request(project, 'POST', '/v1/datasets', { body });
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request', details: expect.any(Array) } });
  });

  test('refuse a number of any length as metadata, in items, runs and files too', async () => {
    const dataset = await made({ name: 'numbers' });
    const number = '12345678901234567890';
    const refused = (path: string, body: string, headers = {}) =>
      expect(service.request(project, 'POST', `/v1/datasets${path}`, { body, headers })).resolves.toMatchObject({
        status: 400,
        body: { code: 'invalid_request', error: expect.stringMatching(/must be (an|a JSON) object/) },
      });
    await refused('', `{"name":"number","metadata":${number}}`);
    await refused('', number);
    await refused(`/${dataset.id}/runs`, `{"name":"number","metadata":${number}}`);
    await refused(`/${dataset.id}/items`, `{"input":1,"metadata":${number}}`);
    await refused(`/${dataset.id}/items`, number);
    const type = { 'content-type': 'application/x-ndjson' };
    await refused(`/${dataset.id}/import`, `{"input":1,"metadata":${number}}`, type);
    await refused(`/${dataset.id}/import`, number, type);
  });

  test('accept names of 200 characters of any kind', async () => {
    await made({ name: '😀'.repeat(200) });
    const big = { status: 413, body: { code: 'payload_too_large' } };
    const body = { name: 'big', metadata: { a: 'x'.repeat(65_536) } };
    expect(await service.request(project, 'POST', '/v1/datasets', { body })).toMatchObject(big);
    expect((await service.request(project, 'POST', '/v1/datasets', { body: '{"name":' })).status).toBe(400);
    expect((await service.request(project, 'POST', '/v1/datasets', { body: '' })).status).toBe(400);
    const form = { body: 'name=x', headers: { 'content-type': 'application/x-www-form-urlencoded' } };
    expect((await service.request(project, 'POST', '/v1/datasets', form)).status).toBe(415);
  });

  test('and their runs accept 64 KiB of metadata in any escaping, and refuse much larger bodies', async () => {
    const { id } = await made();
    const metadata = { a: 'x'.repeat(65_000) };
    const written = (body: object) => JSON.stringify(body).replaceAll('x', String.raw`\u0078`);
    const huge = `{"name":"${'y'.repeat(512 * 1024)}"}`;
    for (const [method, path] of [
      ['POST', '/v1/datasets'],
      ['PATCH', `/v1/datasets/${id}`],
      ['POST', `/v1/datasets/${id}/runs`],
    ] as const) {
      const body = written({
        name: `dataset ${++names}`,
        metadata,
        ...(path.endsWith('runs') ? {} : { description: 'x'.repeat(10_000) }),
      });
      expect((await service.request(project, method, path, { body })).body, path).toMatchObject({ metadata });
      expect(await service.request(project, method, path, { body: huge })).toMatchObject({
        status: 413,
        body: { code: 'payload_too_large', error: 'The body has more than 512 KiB; send less in one request.' },
      });
    }
  });

  test('are listed newest first, page by page', async () => {
    const mine = await service.project();
    for (let index = 0; index < 5; index += 1) {
      await service.request(mine, 'POST', '/v1/datasets', { body: { name: `n${index}` } });
      service.clock.advance(index % 2);
    }
    const seen: string[] = [];
    let cursor = '';
    do {
      const page = await service.request(mine, 'GET', `/v1/datasets?limit=2${cursor}`);
      expect(page.status).toBe(200);
      seen.push(...page.body.datasets.map(({ name }: { name: string }) => name));
      cursor = page.body.nextCursor === null ? '' : `&cursor=${page.body.nextCursor}`;
    } while (cursor !== '');
    expect(seen).toEqual(['n4', 'n3', 'n2', 'n1', 'n0']);
    expect((await service.request(mine, 'GET', '/v1/datasets?name=n3')).body.datasets).toMatchObject([{ name: 'n3' }]);
    expect((await service.request(mine, 'GET', '/v1/datasets?name=%00')).body.datasets).toEqual([]);
    expect((await service.request(mine, 'GET', '/v1/datasets?q=N3')).body.datasets).toMatchObject([{ name: 'n3' }]);
    expect((await service.request(mine, 'GET', '/v1/datasets?q=%25')).body.datasets).toEqual([]);
    for (const query of ['limit=0', 'limit=201', 'limit=x', 'cursor=x'])
      expect((await service.request(mine, 'GET', `/v1/datasets?${query}`)).status, query).toBe(400);
  });
});

describe('access', () => {
  /** Every route with its status for a key. */
  async function routes(): Promise<Array<[method: string, path: string, status: number, body?: unknown]>> {
    const { id } = await made();
    const path = `/v1/datasets/${id}`;
    const { items } = (await service.request(project, 'POST', `${path}/items`, { body: { items: [{ input: 1 }, { input: 2 }] } }))
      .body;
    const run = (await service.request(project, 'POST', `${path}/runs`, { body: { name: 'r' } })).body.id;
    return [
      ['GET', '/v1/datasets', 200],
      ['POST', '/v1/datasets', 201, { name: `dataset ${++names}` }],
      ['GET', path, 200],
      ['PATCH', path, 200, {}],
      ['GET', `${path}/items`, 200],
      ['POST', `${path}/items`, 201, { input: 1 }],
      ['PATCH', `${path}/items/${items[0].id}`, 200, { input: 1 }],
      ['GET', `${path}/export`, 200],
      ['POST', `${path}/import`, 201, '{"input":1}'],
      ['GET', `${path}/runs`, 200],
      ['POST', `${path}/runs`, 201, { name: 'x' }],
      ['GET', `${path}/runs/${run}`, 200],
      ['POST', `${path}/runs/${run}/items`, 201, { items: [{ datasetItemId: items[0].id }] }],
      ['GET', `${path}/runs/compare?runs=${run},${run}`, 200],
      ['DELETE', `${path}/runs/${run}`, 204],
      ['DELETE', `${path}/items/${items[1].id}`, 204],
      ['DELETE', path, 204],
    ];
  }
  const sent = (path: string, body: unknown) => ({
    body,
    headers: path.endsWith('/import') ? { 'content-type': 'application/x-ndjson' } : {},
  });

  test('each route: keys ignore projectId, sessions need it and a sufficient role', async () => {
    for (const [method, path, , body] of await routes()) {
      const name = `${method} ${path}`;
      const options = sent(path, body);
      expect(await service.request(project, method, path, { ...options, by: 'nobody' }), name).toMatchObject({ status: 401 });
      expect(await service.request(project, method, path, { ...options, by: 'owner' }), name).toMatchObject({
        status: 400,
        body: { code: 'invalid_request', details: [{ path: '/projectId', message: expect.any(String) }] },
      });
      const query = `${path}${path.includes('?') ? '&' : '?'}projectId=`;
      const foreign = await service.request(project, method, query + other.projectId, { ...options, by: 'owner' });
      expect(foreign, name).toMatchObject({ status: 403, body: { code: 'forbidden' } });
      if (method !== 'GET') {
        const viewer = await service.request(project, method, query + project.projectId, { ...options, by: 'viewer' });
        expect(viewer, name).toMatchObject({ status: 403, body: { error: expect.stringContaining('datasets:manage') } });
      }
      if (path !== '/v1/datasets') {
        const wrong = await service.request(other, method, path, options);
        expect(wrong, name).toMatchObject({ status: 404, body: { code: 'not_found' } });
        const session = await service.request(other, method, query + other.projectId, { ...options, by: 'owner' });
        expect(session, name).toMatchObject({ status: 404, body: { code: 'not_found' } });
      }
    }
    for (const [method, path, status, body] of await routes()) {
      const answer = await service.request(
        project,
        method,
        `${path}${path.includes('?') ? '&' : '?'}projectId=nonsense`,
        sent(path, body),
      );
      expect(answer.status, `${method} ${path}: ${answer.text}`).toBe(status);
    }
    for (const [method, path, status, body] of await routes()) {
      const by = method === 'GET' ? 'viewer' : 'member';
      const query = `${path}${path.includes('?') ? '&' : '?'}projectId=${project.projectId}`;
      const inBody = typeof body === 'object';
      const options = { ...sent(path, inBody ? { ...body, projectId: project.projectId } : body), by } as const;
      const answer = await service.request(project, method, inBody ? path : query, options);
      expect(answer.status, `${method} ${path}: ${answer.text}`).toBe(status);
    }
  });

  test('a missing dataset, item or run: 404 before 400', async () => {
    const { id } = await made();
    const broken = { body: { nonsense: true } };
    for (const path of ['nonsense', nobody, `${id}/items/${nobody}`, `${id}/items/x`]) {
      expect(await service.request(project, 'PATCH', `/v1/datasets/${path}`, broken), path).toMatchObject({ status: 404 });
    }
    for (const path of [
      `${nobody}/items`,
      `${nobody}/runs`,
      `${id}/runs/${nobody}/items`,
      `${id}/runs/compare/items`,
      `${nobody}/import`,
    ]) {
      expect(await service.request(project, 'POST', `/v1/datasets/${path}`, broken), path).toMatchObject({ status: 404 });
    }
    for (const path of [
      `${nobody}/items?after=x`,
      `${nobody}/runs/compare`,
      `${id}/runs/${nobody}?limit=0`,
      `${nobody}/export?format=x`,
    ]) {
      expect(await service.request(project, 'GET', `/v1/datasets/${path}`), path).toMatchObject({ status: 404 });
    }
  });
});
