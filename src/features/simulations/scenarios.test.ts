import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { echoes } from '../../../test/support/simulation-target.ts';
import { newName, openSimulationsApp } from './simulations-app.fixture.ts';
import type { SimulationsApp } from './simulations-app.fixture.ts';
import { sealHeaders } from './scenarios/seal-headers.ts';

let own: SimulationsApp;
let datasetId: string;
beforeAll(async () => {
  own = await openSimulationsApp();
  datasetId = (await own.dataset([{ input: 'in' }])).id;
});
afterAll(() => own.close());
beforeEach(() => own.target.answers(echoes));

const http = (more: object = {}) => ({ type: 'http', url: own.url, ...more });
const create = (body: object) => own.simulations('POST', '/scenarios', { name: newName(), target: http(), datasetId, ...body });
const read = async (id: string) => (await own.simulations('GET', `/scenarios/${id}`)).body;

describe('a scenario', () => {
  test('has defaults, and can be read, listed and found by its name', async () => {
    const name = newName();
    const made = await create({ name });
    expect(made).toMatchObject({
      status: 201,
      body: {
        projectId: own.app.projectId,
        name,
        description: null,
        datasetId,
        evaluators: [],
        referenceMatch: null,
        target: {
          type: 'http',
          url: own.url,
          method: 'POST',
          headers: {},
          body: { input: '{{input}}' },
          outputPath: '/output',
          timeoutMs: 30_000,
        },
      },
    });
    expect(await read(made.body.id)).toEqual(made.body);
    const found = await own.simulations('GET', `/scenarios?name=${encodeURIComponent(name)}`);
    const searched = await own.simulations('GET', `/scenarios?q=${encodeURIComponent(name.slice(1).toUpperCase())}`);
    expect(searched.body.scenarios.map((one: { id: string }) => one.id)).toContain(found.body.scenarios[0].id);
    expect((await own.simulations('GET', '/scenarios?q=%25')).body.scenarios).toEqual([]);
    expect(found.body).toEqual({ scenarios: [made.body], nextCursor: null });
    const prompt = await create({ target: { type: 'prompt', promptName: 'p', connection: 'c' } });
    expect(prompt.body.target).toEqual({ type: 'prompt', promptName: 'p', label: 'production', connection: 'c' });
  });

  test('has its newest batch run, however many others there are', async () => {
    const [one, other, none] = [await create({}), await create({}), await create({})];
    await own.completed(one.body.id);
    const newest = await own.start(one.body.id);
    expect((await read(one.body.id)).newestRun).toEqual({ id: newest.id, status: 'queued', createdAt: newest.createdAt });
    const only = await own.completed(other.body.id);
    // More runs of another scenario than a page of runs has.
    const { db } = own.app.features.simulations.context;
    await sql`INSERT INTO simulation_batch_runs SELECT (jsonb_populate_record(run, jsonb_build_object('id', gen_random_uuid(),
        'scenario_id', ${one.body.id}::text, 'created_at', run.created_at + n * interval '1 ms'))).*
      FROM simulation_batch_runs AS run, generate_series(1, 300) AS n WHERE run.id = ${only.id}::uuid`.execute(db);
    const { scenarios } = (await own.simulations('GET', '/scenarios?limit=200')).body;
    const newestOf = (id: string) => scenarios.find((scenario: { id: string }) => scenario.id === id).newestRun;
    expect(newestOf(other.body.id)).toEqual({ id: only.id, status: 'completed', createdAt: only.createdAt });
    expect(Date.parse(newestOf(one.body.id).createdAt)).toBe(Date.parse(only.createdAt) + 300);
    expect(newestOf(none.body.id)).toBeNull();
    await sql`DELETE FROM simulation_batch_runs WHERE scenario_id = ${one.body.id}::uuid`.execute(db);
  });

  test('is listed by pages, oldest first', async () => {
    const all: string[] = [];
    let cursor = '';
    do {
      const { body } = await own.simulations('GET', `/scenarios?limit=1${cursor}`);
      all.push(...body.scenarios.map(({ id }: { id: string }) => id));
      cursor = body.nextCursor === null ? '' : `&cursor=${body.nextCursor}`;
    } while (cursor !== '');
    const { body } = await own.simulations('GET', '/scenarios');
    expect(all).toEqual(body.scenarios.map(({ id }: { id: string }) => id));
  });

  test.each<[string, object, string]>([
    ['another scheme', { url: 'ftp://example.com/' }, '/target/url'],
    ['credentials', { url: 'http://user:pass@example.com/' }, '/target/url'],
    ['an empty user name', { url: 'http://@example.com/' }, '/target/url'],
    ['no URL', { url: 'example.com' }, '/target/url'],
    ['a NUL character', { url: 'http://example.com/\0' }, '/target/url'],
    ['another method', { method: 'TRACE' }, '/target/method'],
    ['a header of the connection', { headers: { Host: 'a' } }, '/target/headers/Host'],
    ['a header twice', { headers: { 'x-a': '1', 'X-A': '2' } }, '/target/headers'],
    ['a line break in a header', { headers: { 'x-a': 'a\r\nb: c' } }, '/target/headers/x-a'],
    ['a path that is no pointer', { outputPath: 'output' }, '/target/outputPath'],
    ['too short a time', { timeoutMs: 99 }, '/target/timeoutMs'],
    ['too long a time', { timeoutMs: 300_001 }, '/target/timeoutMs'],
    ['too large a body', { body: 'a'.repeat(65_535) }, '/target/body'],
    ['an unknown field', { retries: 1 }, '/target/retries'],
    ['a secret that is not stored', { headers: { 'x-api-key': '***' } }, '/target/headers/x-api-key'],
  ])('is refused with %s', async (_what, target, path) => {
    const answer = await create({ target: http(target) });
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    expect(answer.body.details.map((detail: { path: string }) => detail.path)).toContain(path);
  });

  test('is refused for an unknown dataset and unknown evaluators, which are named', async () => {
    expect(await create({ datasetId: '0197a000-0000-7000-8000-00000000000f' })).toMatchObject({
      status: 404,
      body: { code: 'not_found' },
    });
    expect((await create({ datasetId: 'none' })).status).toBe(404);
    expect(await create({ evaluators: ['missing', 'a\0'] })).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining('missing'), details: [{ path: '/evaluators/0' }, { path: '/evaluators/1' }] },
    });
  });

  test('has a name that is free', async () => {
    const [first, second] = [await create({}), await create({})];
    const taken = { status: 409, body: { code: 'conflict', details: [{ path: '/name' }] } };
    expect(await create({ name: first.body.name })).toMatchObject(taken);
    expect(await own.simulations('PATCH', `/scenarios/${second.body.id}`, { name: first.body.name })).toMatchObject(taken);
  });

  test('is changed field by field, and deleted', async () => {
    const slug = 'changed-scenario';
    await own.evaluator({ slug, type: 'exact', target: 'trace' });
    const { body } = await create({});
    const change = { description: 'For tests', evaluators: [slug], referenceMatch: { mode: 'fuzzy' } };
    const changed = await own.simulations('PATCH', `/scenarios/${body.id}`, change);
    expect(changed).toMatchObject({ status: 200, body: { ...body, ...change, updatedAt: expect.any(String) } });
    expect((await own.simulations('PATCH', `/scenarios/${body.id}`, { evaluators: ['missing'] })).status).toBe(400);
    expect((await own.simulations('PATCH', `/scenarios/${body.id}`, { more: 1 })).status).toBe(400);
    // A renamed evaluator stays.
    await own.request('PATCH', `/projects/${own.app.projectId}/evaluators/${slug}`, { slug: `${slug}-renamed` });
    expect((await read(body.id)).evaluators).toEqual([`${slug}-renamed`]);
    expect((await own.simulations('DELETE', `/scenarios/${body.id}`)).status).toBe(204);
    for (const method of ['GET', 'PATCH', 'DELETE'])
      expect((await own.simulations(method, `/scenarios/${body.id}`, method === 'PATCH' ? {} : undefined)).status).toBe(404);
    const { rows } = await sql<{ kind: string }>`SELECT kind FROM audit_entries WHERE subject = ${body.id} ORDER BY seq`.execute(
      own.app.features.simulations.context.db,
    );
    expect(rows.map(({ kind }) => kind)).toEqual(['created', 'updated', 'deleted'].map((act) => `simulation_scenario.${act}`));
  });

  test('keeps its dataset and its evaluators from being deleted', async () => {
    const slug = 'used-by-scenarios';
    await own.evaluator({ slug, type: 'exact', target: 'trace' });
    const dataset = await own.dataset([{ input: 1 }]);
    const [one, two] = [await create({ datasetId: dataset.id, evaluators: [slug] }), await create({ datasetId: dataset.id })];
    const byEvaluator = await own.request('DELETE', `/projects/${own.app.projectId}/evaluators/${slug}`);
    expect(byEvaluator).toMatchObject({ status: 409, body: { code: 'conflict', scenarios: [one.body.name] } });
    const refused = await own.request('DELETE', `/datasets/${dataset.id}`);
    expect(refused).toMatchObject({ status: 409, body: { code: 'conflict', scenarios: [one.body.name, two.body.name] } });
    for (const { body } of [one, two]) await own.simulations('DELETE', `/scenarios/${body.id}`);
    expect((await own.request('DELETE', `/projects/${own.app.projectId}/evaluators/${slug}`)).status).toBe(204);
    expect((await own.request('DELETE', `/datasets/${dataset.id}`)).status).toBe(204);
  });
});

describe('secret headers', () => {
  const headers = {
    Authorization: 'Bearer one',
    'X-Api-Key': 'two',
    'CF-Access': 'three',
    'x-pass': 'fourth',
    Accept: 'text/plain',
  };
  const shown = { Authorization: '***', 'X-Api-Key': '***', 'CF-Access': '***', 'x-pass': '***', Accept: 'text/plain' };

  test('are encrypted and never returned', async () => {
    const { body } = await create({ target: http({ headers }) });
    expect(body.target.headers).toEqual(shown);
    expect((await read(body.id)).target.headers).toEqual(shown);
    const { db } = own.app.features.simulations.context;
    const { rows } = await sql<object>`SELECT * FROM simulation_scenarios WHERE id = ${body.id}`.execute(db);
    const stored = JSON.stringify(rows);
    for (const secret of ['Bearer one', '"two', '"three', 'fourth']) expect(stored).not.toContain(secret);
    const { rows: audited } = await sql<{ detail: string }>`SELECT detail FROM audit_entries WHERE subject = ${body.id}`.execute(
      db,
    );
    expect(audited.map(({ detail }) => JSON.parse(detail) as unknown)).toMatchObject([{ type: 'http', target: own.url }]);
  });

  test('are kept by ***, and must be given anew where the origin changes', async () => {
    const { body } = await create({ target: http({ headers }) });
    const change = (target: object) => own.simulations('PATCH', `/scenarios/${body.id}`, { target: http(target) });
    const kept = await change({ headers: { authorization: '***', 'X-Api-Key': 'new' }, url: `${own.url}/path` });
    expect(kept).toMatchObject({ status: 200, body: { target: { headers: { authorization: '***', 'X-Api-Key': '***' } } } });
    await own.completed(body.id);
    expect(own.target.requests[0]?.headers).toMatchObject({ authorization: 'Bearer one', 'x-api-key': 'new' });
    expect(own.target.requests[0]?.headers).not.toHaveProperty('cf-access');
    // A header that was left out is gone.
    expect((await change({ headers: { cookie: '***' } })).status).toBe(400);
    const elsewhere = await change({ headers: { authorization: '***' }, url: 'https://other.example/' });
    expect(elsewhere).toMatchObject({ status: 400, body: { details: [{ path: '/target/headers/authorization' }] } });
    expect((await change({ headers: { authorization: 'given' }, url: 'https://other.example/' })).status).toBe(200);
  });

  test('that an earlier release kept as they were are never shown, are still sent, and are sealed by a job', async () => {
    const { body } = await create({ target: http({ headers: { Authorization: 'Bearer one' } }) });
    const context = own.app.features.simulations.context;
    const plain = JSON.stringify({
      ...body.target,
      headers: { Authorization: '***', 'X-Pass': 'plain-one', accept: 'text/plain' },
    });
    const sealed = context.box.seal(JSON.stringify({ authorization: 'Bearer one' }), body.id);
    await sql`UPDATE simulation_scenarios SET target = ${plain}, sealed_headers = ${sealed}, headers_sealed = false
      WHERE id = ${body.id}`.execute(context.db);
    const read = async () => (await own.simulations('GET', `/scenarios/${body.id}`)).body.target.headers;
    const hidden = { Authorization: '***', 'X-Pass': '***', accept: 'text/plain' };
    expect(await read()).toEqual(hidden);
    await own.completed(body.id);
    expect(own.target.requests[0]?.headers).toMatchObject({ authorization: 'Bearer one', 'x-pass': 'plain-one' });
    await sealHeaders(context, new AbortController().signal);
    const tables = sql`SELECT target, headers_sealed FROM simulation_scenarios WHERE id = ${body.id} UNION ALL
      SELECT target, headers_sealed FROM simulation_batch_runs WHERE scenario_id = ${body.id}`;
    const { rows } = await tables.execute(context.db);
    expect(JSON.stringify(rows)).not.toContain('plain-one');
    expect(rows).toMatchObject([{ headers_sealed: true }, { headers_sealed: true }]);
    own.target.requests.length = 0;
    await own.completed(body.id);
    expect(own.target.requests[0]?.headers).toMatchObject({ authorization: 'Bearer one', 'x-pass': 'plain-one' });
    expect(await read()).toEqual(hidden);
  });

  test('that cannot be decrypted fail the run', async () => {
    const { body } = await create({ target: http({ headers }) });
    const { db } = own.app.features.simulations.context;
    await sql`UPDATE simulation_scenarios SET sealed_headers = 'v1:00000000:AAAA' WHERE id = ${body.id}`.execute(db);
    const run = await own.completed(body.id);
    expect(run).toMatchObject({ status: 'failed', error: expect.stringContaining('set them again'), counts: { cancelled: 1 } });
    expect(own.target.requests).toEqual([]);
  });
});

describe('secrets of the query and the body', () => {
  const target = (more: object = {}) =>
    http({
      url: `${own.url}/path?key={{secret.key}}&plain=1`,
      body: { input: '{{input}}', token: '{{secret.token}}', text: 'Bearer {{secret.token}}' },
      secrets: { key: 's&3', token: 'to"ken' },
      ...more,
    });
  const filled = (place: number) => {
    const { path, body } = own.target.requests[place] ?? { path: '', body: {} };
    return { path, body: body as object };
  };

  test('are sent, never returned, and kept by *** and where they are left out', async () => {
    const { status, body } = await create({ target: target() });
    expect([status, body.target.secrets]).toEqual([201, { key: '***', token: '***' }]);
    await own.completed(body.id);
    const sent = { path: '/path?key=s%263&plain=1', body: { token: 'to"ken', text: 'Bearer to"ken' } };
    expect(filled(0)).toMatchObject(sent);
    const { db } = own.app.features.simulations.context;
    const { rows } = await sql<object>`SELECT * FROM simulation_scenarios WHERE id = ${body.id}`.execute(db);
    expect(JSON.stringify(rows)).not.toMatch(/to\\*"ken|s&3/);

    const change = (more: object) => own.simulations('PATCH', `/scenarios/${body.id}`, { target: target(more) });
    expect((await change({ secrets: { key: '***', token: 'other' } })).status).toBe(200);
    expect((await change({ secrets: undefined })).body.target.secrets).toEqual({ key: '***', token: '***' });
    own.target.requests.length = 0;
    await own.completed(body.id);
    expect(filled(0)).toMatchObject({ path: sent.path, body: { token: 'other' } });
    const elsewhere = await change({ url: 'https://other.example/?key={{secret.key}}', secrets: { key: '***', token: 'x' } });
    expect(elsewhere).toMatchObject({ status: 400, body: { details: [{ path: '/target/secrets/key' }] } });
  });

  test.each([
    ['a name that the target does not have, in the query', { url: 'https://8.8.8.8/?a={{secret.none}}' }, '/target/url'],
    ['one in the body', { body: { a: 'x {{ secret.none }}' } }, '/target/body'],
    ['a secret in the path', { url: 'https://8.8.8.8/{{secret.key}}' }, '/target/url'],
    ['*** without a stored value', { secrets: { key: '***', token: 'x' } }, '/target/secrets/key'],
  ])('400 for %s', async (_what, more, path) => {
    expect(await create({ target: target(more) })).toMatchObject({ status: 400, body: { details: [{ path }] } });
  });

  test('are hidden in what a tried item shows, short ones too, and go to no other origin', async () => {
    const item = { input: 'x' };
    const shown = await own.simulations('POST', '/try', { target: target(), item });
    expect(shown.status).toBe(200);
    expect(shown.body.request.url).toBe(`${own.url}/path?key=***&plain=1`);
    expect(JSON.parse(shown.body.request.body.text)).toEqual({ input: 'x', token: '***', text: 'Bearer ***' });
  });
});

test('callers without the permission are refused', async () => {
  const { body } = await create({});
  const paths = ['/scenarios', `/scenarios/${body.id}`, '/batch-runs'];
  for (const path of paths) expect((await own.simulations('GET', path, undefined, {})).status).toBe(401);
  const owner = { cookie: own.app.cookie };
  for (const path of paths) expect((await own.simulations('GET', path, undefined, owner)).status).toBe(200);
  expect((await own.simulations('POST', '/scenarios', { name: newName(), target: http(), datasetId }, owner)).status).toBe(201);
});
