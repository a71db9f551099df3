import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { answersJson, echoes } from '../../../test/support/simulation-target.ts';
import type { Received } from '../../../test/support/simulation-target.ts';
import { openSimulationsApp } from './simulations-app.fixture.ts';
import type { SimulationsApp } from './simulations-app.fixture.ts';

let own: SimulationsApp;
const secret = 'sk-0123456789abcdef';
beforeAll(async () => {
  own = await openSimulationsApp();
  await own.evaluator({ slug: 'says-good', type: 'contains', config: { value: 'good' }, target: 'trace' });
});
afterAll(() => own.close());
beforeEach(() => {
  own.target.answers(echoes);
  // Fills the bucket of the rate limit.
  own.app.clock.advance(60_000);
});

const tried = (target: object, more: object = { item: { input: 'in' } }) =>
  own.simulations('POST', '/try', { target: { type: 'http', url: `${own.url}/answer`, ...target }, ...more });

describe('trying an item', () => {
  test('shows the request, the answer, the output and the evaluation', async () => {
    own.target.answers((response, request) => {
      response.writeHead(200, { 'content-type': 'application/json', 'x-internal': 'hidden', 'x-ratelimit-left': '9' });
      response.end(JSON.stringify({ output: `good ${request.body.question}` }));
    });
    const target = {
      method: 'PUT',
      headers: { 'X-Request-Id': 'on' },
      body: { question: '{{input.q}}', user: '{{metadata.user}}' },
    };
    const { status, body } = await tried(target, {
      item: { input: { q: 'why' }, expectedOutput: 'good why', metadata: { user: 7 } },
      evaluators: ['says-good'],
      referenceMatch: { mode: 'exact' },
    });
    expect(status).toBe(200);
    expect(body).toEqual({
      status: 'passed',
      request: {
        method: 'PUT',
        url: `${own.url}/answer`,
        headers: { 'content-type': 'application/json', 'x-request-id': 'on' },
        body: { text: '{"question":"why","user":7}', bytes: 27, truncated: false },
        attempts: 1,
      },
      response: {
        status: 200,
        url: `${own.url}/answer`,
        headers: { 'content-type': 'application/json', 'x-ratelimit-left': '9', date: expect.any(String) },
        body: { text: '{"output":"good why"}', bytes: 21, truncated: false },
        latencyMs: expect.any(Number),
      },
      call: null,
      output: { text: '"good why"', bytes: 10, truncated: false },
      error: null,
      errorKind: null,
      latencyMs: expect.any(Number),
      costUsd: null,
      referenceMatch: true,
      scores: [{ evaluator: 'says-good', score: 1, passed: true, comment: null }],
    });
    expect(own.target.requests).toHaveLength(1);
  });

  test('stores nothing and writes no trace', async () => {
    const { db } = own.app.features.simulations.context;
    const counted = async () => {
      const { rows } =
        await sql`SELECT (SELECT count(*) FROM simulation_items) AS items, (SELECT count(*) FROM simulation_batch_runs) AS runs,
        (SELECT count(*) FROM dataset_run_items) AS results, (SELECT count(*) FROM audit_entries) AS audited`.execute(db);
      return rows;
    };
    const before = await counted();
    expect((await tried({})).body.status).toBe('passed');
    await own.app.pipeline.drain();
    expect(await counted()).toEqual(before);
    expect((await own.request('GET', `/projects/${own.app.projectId}/traces?tag=simulation`)).body.traces).toEqual([]);
  });

  test('takes an item of a dataset, with exact numbers', async () => {
    const raw = '{"input":12345678901234567890,"expectedOutput":"good","metadata":{"n":1}}';
    const { id: datasetId } = await own.dataset([]);
    const added = await fetch(`${own.app.url}/v1/datasets/${datasetId}/items`, {
      method: 'POST',
      headers: { 'x-api-key': own.app.apiKey, 'content-type': 'application/json' },
      body: raw,
    });
    const { items } = (await added.json()) as { items: Array<{ id: string }> };
    own.target.answers(answersJson({ output: 'bad' }));
    const { body } = await tried(
      {},
      { datasetItemId: items[0]?.id, referenceMatch: { mode: 'exact' }, evaluators: ['says-good'] },
    );
    expect(body.request.body.text).toBe('{"input":12345678901234567890}');
    expect(body).toMatchObject({ status: 'failed', referenceMatch: false, scores: [{ score: 0, passed: false }], error: null });
  });

  test.each([
    ['a status', (response) => void response.writeHead(500).end('broken'), {}],
    ['no JSON', (response) => void response.writeHead(200).end('plain'), {}],
    ['a pointer that leads nowhere', answersJson({ other: 1 }), {}],
    ['a broken connection', (response) => void response.socket?.destroy(), {}],
    ['a time-out', () => undefined, { timeoutMs: 100 }],
    ['more than 4 MiB', (response) => void response.writeHead(200).end('"'.padEnd(4 * 1_048_576 + 2, 'a')), {}],
    ['a field that the item lacks', echoes, { body: '{{input.missing}}' }],
  ] satisfies Array<[string, Parameters<SimulationsApp['target']['answers']>[0], object]>)(
    'tells the error that a batch run would: %s',
    async (_what, answering, target) => {
      own.target.answers(answering);
      const { body } = await tried(target);
      const { id: datasetId } = await own.dataset([{ input: 'in' }]);
      const run = await own.completed(await own.scenario({ datasetId, target: { url: `${own.url}/answer`, ...target } }));
      const [item] = await own.items(run.id);
      expect(item?.error).not.toBeNull();
      expect(body).toMatchObject({ status: 'error', errorKind: 'target', error: item?.error, output: null });
    },
  );

  test('shows an answer that is an error, and cuts a long one', async () => {
    own.target.answers((response) => void response.writeHead(503).end(`${'é'.repeat(70_000)}`));
    const { body } = await tried({});
    expect(body.response).toMatchObject({ status: 503, body: { bytes: 140_000, truncated: true } });
    expect(body.response.body.text).toBe('é'.repeat(65_536));
    const long = await tried({ body: '{{input}}' }, { item: { input: 'a'.repeat(70_000) } });
    expect(long.body.request.body).toMatchObject({ bytes: 70_002, truncated: true, text: `"${'a'.repeat(65_535)}` });
  });

  test('is refused with what no scenario may have, and with other than one item', async () => {
    const refused = { status: 400, body: { code: 'invalid_request' } };
    expect(await tried({ url: 'http://127.0.0.1/' })).toMatchObject({ ...refused, body: { details: [{ path: '/target/url' }] } });
    expect(await tried({}, { item: { input: 1 }, evaluators: ['missing'] })).toMatchObject({
      ...refused,
      body: { details: [{ path: '/evaluators/0' }] },
    });
    for (const more of [{}, { item: {} }, { item: { input: 1 }, datasetItemId: 'x' }, { item: { input: 1 }, more: 1 }])
      expect(await tried({}, more), JSON.stringify(more)).toMatchObject(refused);
    let deep: unknown = 1;
    for (let level = 0; level < 1_001; level += 1) deep = [deep];
    expect(await tried({}, { item: { input: deep } })).toMatchObject(refused);
    expect((await tried({}, { datasetItemId: 'none' })).status).toBe(404);
    expect((await tried({}, { item: { input: 1 }, scenarioId: 'none' })).status).toBe(404);
    expect((await own.simulations('POST', '/try', {}, {})).status).toBe(401);
    expect(own.target.requests).toEqual([]);
  });

  test('goes to the public internet alone, also after a redirect', async () => {
    own.target.answers((response) => void response.writeHead(307, { location: 'http://169.254.169.254/latest' }).end());
    const { body } = await tried({});
    expect(body).toMatchObject({ status: 'error', response: null, error: expect.stringContaining('169.254.169.254') });
    const [address = ''] = own.network.names.get(new URL(own.url).hostname)?.[0] ?? [];
    // Public when the target is checked, private when it is connected to.
    own.network.names.set('rebound.example', [[address], ['10.0.0.1']]);
    const rebound = await tried({ url: 'http://rebound.example/' });
    expect(rebound.body).toMatchObject({ status: 'error', response: null });
    expect(own.network.connections).not.toContain('10.0.0.1');
  });

  test('takes 20 tokens a minute of the project', async () => {
    for (let count = 0; count < 20; count += 1) expect((await tried({ url: 'http://127.0.0.1/' })).status).toBe(400);
    const refused = await tried({});
    expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(own.target.requests).toEqual([]);
  });

  test('waits while items of batch runs take all of the places of the project', async () => {
    const { id: datasetId } = await own.dataset(Array.from({ length: 32 }, (_, input) => ({ input })));
    const scenarioId = await own.scenario({ datasetId });
    const full = Promise.withResolvers<void>();
    const waiting: Array<() => void> = [];
    let released = false;
    let triedEarly = false;
    own.target.answers((response, request) => {
      if (request.path === '/answer') {
        triedEarly = !released;
        echoes(response, request);
        return;
      }
      waiting.push(() => echoes(response, request));
      if (waiting.length === 64) full.resolve();
    });
    for (let count = 0; count < 2; count += 1) await own.start(scenarioId, { concurrency: 32 });
    const running = own.runPending();
    await full.promise;
    const answer = tried({});
    for (let count = 0; count < 10; count += 1) await own.simulations('GET', '/batch-runs');
    released = true;
    for (const end of waiting) end();
    expect((await answer).body.status).toBe('passed');
    expect(triedEarly).toBe(false);
    await running;
  });

  test('ends the request when the client leaves', async () => {
    const arrived = Promise.withResolvers<void>();
    const gone = Promise.withResolvers<void>();
    own.target.answers((response) => {
      response.once('close', () => gone.resolve());
      arrived.resolve();
    });
    const leaving = new AbortController();
    const left = fetch(`${own.app.url}/v1/projects/${own.app.projectId}/simulations/try`, {
      method: 'POST',
      headers: { 'x-api-key': own.app.apiKey, 'content-type': 'application/json' },
      body: JSON.stringify({ target: { type: 'http', url: own.url }, item: { input: 1 } }),
      signal: leaving.signal,
    });
    await arrived.promise;
    leaving.abort();
    await expect(left).rejects.toThrow('aborted');
    await gone.promise;
  });
});

describe('secret headers', () => {
  const headers = { authorization: `Bearer ${secret}`, 'accept-language': 'shown' };

  test('are sent, and neither shown nor repeated from the answer', async () => {
    own.target.answers((response, { headers: received }: Received) => {
      response.writeHead(200, { location: `/?${received.authorization}` });
      response.end(JSON.stringify({ output: { echoed: received.authorization, half: secret.slice(3, 14) } }));
    });
    const answer = await tried({ headers });
    expect(own.target.requests[0]?.headers).toMatchObject({ authorization: `Bearer ${secret}` });
    expect(answer.body.request.headers).toMatchObject({ authorization: '***', 'accept-language': 'shown' });
    expect(answer.body.output.text).toBe('{"echoed":"***","half":"***"}');
    expect(answer.text).not.toContain(secret);
    expect(answer.text).not.toContain(secret.slice(3, 11));
  });

  test('of a stored scenario are used for ***, unless the URL has another origin', async () => {
    const { id: datasetId } = await own.dataset([]);
    const scenarioId = await own.scenario({ datasetId, target: { headers } });
    const item = { input: 1 };
    const kept = { headers: { authorization: '***', 'accept-language': 'changed' } };
    const answer = await tried(kept, { item, scenarioId });
    expect(answer.body.status).toBe('passed');
    expect(own.target.requests[0]?.headers).toMatchObject({ authorization: `Bearer ${secret}`, 'accept-language': 'changed' });
    expect(answer.text).not.toContain(secret);
    const must = { status: 400, body: { code: 'invalid_request', details: [{ path: '/target/headers/authorization' }] } };
    expect(await tried(kept, { item })).toMatchObject(must);
    const otherOrigin = own.network.publish(own.target.port);
    expect(await tried({ ...kept, url: otherOrigin }, { item, scenarioId })).toMatchObject(must);
    expect(await tried({ headers: { 'x-api-key': '***' } }, { item, scenarioId })).toMatchObject({
      ...must,
      body: { details: [{ path: '/target/headers/x-api-key' }] },
    });
    expect(own.target.requests).toHaveLength(1);
  });

  test('do not follow a redirect to another origin', async () => {
    const other = own.network.publish(own.target.port);
    own.target.answers((response, request) => {
      if (request.path === '/answer') response.writeHead(307, { location: `${other}/there` }).end();
      else echoes(response, request);
    });
    const { body } = await tried({ headers });
    expect(body).toMatchObject({ status: 'passed', response: { url: `${other}/there` } });
    expect(own.target.requests[1]?.headers.authorization).toBeUndefined();
  });
});
