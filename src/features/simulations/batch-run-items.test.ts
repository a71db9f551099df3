import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { answersJson, echoes } from '../../../test/support/simulation-target.ts';
import type { Received } from '../../../test/support/simulation-target.ts';
import { newName, openSimulationsApp } from './simulations-app.fixture.ts';
import type { SimulationsApp } from './simulations-app.fixture.ts';

let own: SimulationsApp;
beforeAll(async () => {
  own = await openSimulationsApp();
});
afterAll(() => own.close());
beforeEach(() => own.target.answers(echoes));

describe('items are', () => {
  const answersOf = async (
    answering: Parameters<SimulationsApp['target']['answers']>[0],
    target: object = {},
    input: unknown = 'in',
  ) => {
    own.target.answers(answering);
    const { id: datasetId } = await own.dataset([{ input, metadata: { user: 'u1' } }]);
    const run = await own.completed(await own.scenario({ datasetId, target }));
    const [item] = await own.items(run.id);
    return { run, item, requests: [...own.target.requests] };
  };

  test('errors when the target fails, and the others are not affected', async () => {
    const { id: datasetId } = await own.dataset([
      { input: 'ok' },
      { input: 500 },
      { input: 'huge' },
      { input: 'broken' },
      { input: 'text' },
      { input: 'gzip' },
      { input: 'headers' },
      { input: 'last' },
    ]);
    own.target.answers((response, request) => {
      const { input } = request.body;
      if (input === 500) response.writeHead(500).end('no');
      else if (input === 'huge') response.writeHead(200).end('"'.padEnd(4 * 1_048_576 + 2, 'a'));
      else if (input === 'broken') response.socket?.destroy();
      else if (input === 'text') response.writeHead(200).end('plain');
      else if (input === 'gzip') response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('{"output":1}'));
      else if (input === 'headers') response.writeHead(200, { 'x-large': 'a'.repeat(40_000) }).end('{"output":1}');
      else echoes(response, request);
    });
    const run = await own.completed(await own.scenario({ datasetId }));
    expect(run.counts).toMatchObject({ passed: 2, error: 6 });
    expect(run).toMatchObject({ status: 'completed', errorRate: 6 / 8 });
    const items = await own.items(run.id);
    expect(items.map(({ error }) => error)).toEqual([
      null,
      'The target answered 500; look at its log.',
      'The target sent an answer of more than 4 MiB; answer a smaller one.',
      expect.stringMatching(/^The target gave no answer: .* broke the connection\.$/),
      expect.stringMatching(/^The answer is not JSON/),
      'The target compressed its answer (gzip), which was not asked for; let it heed accept-encoding.',
      expect.stringMatching(/^The target gave no answer: .* sent headers of more than 32 KiB\.$/),
      null,
    ]);
    expect(
      items.filter(({ error }) => error !== null).every(({ errorKind, output }) => errorKind === 'target' && output === null),
    ).toBe(true);
  });

  test('errors when the target hangs', async () => {
    const { item } = await answersOf(() => undefined, { timeoutMs: 100 });
    expect(item).toMatchObject({
      status: 'error',
      latencyMs: 100,
      error: expect.stringContaining('did not answer within 0.1 seconds'),
    });
  });

  test('sent with the contents of the item in the body, and secret headers', async () => {
    const body = { question: '{{input}}', text: 'For {{metadata.user}}: {{input.a}}', list: ['{{input.a}}', 1, null] };
    const headers = { Authorization: 'Bearer s3cret', 'X-Trace': 'on' };
    const { item, requests } = await answersOf(
      answersJson(({ text }: Received) => ({ data: [{ answer: text }] })),
      { body, headers, outputPath: '/data/0/answer', method: 'PUT' },
      { a: [1, 'x'] },
    );
    expect(requests).toMatchObject([
      {
        method: 'PUT',
        headers: { authorization: 'Bearer s3cret', 'x-trace': 'on', 'content-type': 'application/json' },
        body: { question: { a: [1, 'x'] }, text: 'For u1: [1,"x"]', list: [[1, 'x'], 1, null] },
      },
    ]);
    expect(item).toMatchObject({ status: 'passed', output: requests[0]?.text });
  });

  test('errors without a request when they lack a field of the body', async () => {
    const { item, requests } = await answersOf(echoes, { body: { a: '{{input.missing}}' } }, { present: 1 });
    expect(requests).toEqual([]);
    expect(item).toMatchObject({
      status: 'error',
      errorKind: 'target',
      latencyMs: null,
      error: expect.stringContaining('no input.missing'),
    });
  });

  test('sent again, at most twice, when the target asks for it', async () => {
    let answers = 0;
    const busy = (status: number, retryAfter: string | null, times: number) =>
      answersOf((response, request) => {
        answers += 1;
        if (answers > times) echoes(response, request);
        else response.writeHead(status, retryAfter === null ? {} : { 'retry-after': retryAfter }).end();
      });
    expect(await busy(429, '0', 2)).toMatchObject({ item: { status: 'passed' }, requests: { length: 3 } });
    answers = 0;
    expect(await busy(503, '0', 9)).toMatchObject({ item: { status: 'error' }, requests: { length: 3 } });
    for (const [status, retryAfter] of [
      [503, null],
      [429, '31'],
      [500, '0'],
      [503, '-1'],
    ] as const) {
      answers = 0;
      expect(await busy(status, retryAfter, 9)).toMatchObject({ item: { status: 'error' }, requests: { length: 1 } });
    }
  });

  test('kept with exact numbers, as text, and whole, as outputPath says', async () => {
    const raw = '{"id":12345678901234567890,"n":1e400}';
    const answering = (response: Parameters<typeof echoes>[0]) => void response.writeHead(200).end(raw);
    const { run } = await answersOf(answering, { outputPath: '' });
    const answer = await own.simulations('GET', `/batch-runs/${run.id}/items`);
    expect(answer.text).toContain(`"output":${raw}`);
    const text = await answersOf((response) => void response.writeHead(200).end('plain \u2028 text'), { outputPath: '' });
    expect(text.item).toMatchObject({ status: 'passed', output: 'plain \u2028 text' });
    const nowhere = await answersOf(answersJson({ output: [] }), { outputPath: '/output/0' });
    expect(nowhere.item).toMatchObject({ status: 'error', error: expect.stringContaining('nothing at /output/0') });
    const nul = await answersOf(answersJson({ output: 'a\0\ud800' }));
    expect(nul.item).toMatchObject({ status: 'passed', output: 'a\0\ud800' });
  });

  test.each([
    [1_000, 'passed'],
    [1_001, 'error'],
    [100_000, 'error'],
  ])('with %d levels %s', async (levels, status) => {
    const raw = `{"output":${'['.repeat(levels)}${']'.repeat(levels)}}`;
    const { item } = await answersOf((response) => void response.writeHead(200).end(raw));
    expect(item?.status).toBe(status);
  });
});

describe('evaluators', () => {
  test('decide whether an item passes, and their scores are in the dataset run', async () => {
    const [contains, latency] = [`contains-${newName().replace(' ', '-')}`, `latency-${newName().replace(' ', '-')}`];
    await own.evaluator({ slug: contains, type: 'contains', config: { value: 'good' }, target: 'trace' });
    await own.evaluator({ slug: latency, type: 'latency', config: { maxMs: 60_000 }, target: 'trace', enabled: false });
    const { id: datasetId, itemIds } = await own.dataset([{ input: 'good' }, { input: 'bad' }]);
    const run = await own.completed(await own.scenario({ datasetId, evaluators: [latency, contains] }));
    expect(run.counts).toMatchObject({ passed: 1, failed: 1 });
    const items = await own.items(run.id);
    expect(items[0]?.scores.map(({ evaluator, passed }) => [evaluator, passed])).toEqual([
      [latency, true],
      [contains, true],
    ]);
    expect(items[1]?.scores).toMatchObject([{ passed: true }, { evaluator: contains, score: 0, passed: false }]);
    const shown = await own.request('GET', `/datasets/${datasetId}/runs/${run.datasetRunId}`);
    expect(shown.body.items[1].scores).toMatchObject([{ evaluator: contains, passed: false }, { evaluator: latency }]);
    const again = await own.completed((await own.simulations('GET', `/batch-runs/${run.id}`)).body.batchRun.scenarioId);
    const compared = await own.request(
      'GET',
      `/datasets/${datasetId}/runs/compare?runs=${run.datasetRunId},${again.datasetRunId}`,
    );
    expect(compared.body.items.map(({ datasetItemId }: { datasetItemId: string }) => datasetItemId)).toEqual(itemIds);
    expect(compared.body.byEvaluator).toMatchObject([
      { evaluator: contains, meanDelta: 0, n: 2 },
      { evaluator: latency, n: 2 },
    ]);
  });

  test.each([
    ['12345678901234567890', '12345678901234567890', true],
    ['5.960464477539063e-08', '5.960464477539063E-8', true],
    ['{"p":[3.14159265358979323846]}', '{"p":[3.141592653589793238460]}', true],
    ['1e400', '10e399', true],
    ['100000000000000000000000', '1e23', true],
    ['9007199254740992', '9007199254740993', false],
    ['1e400', '1e401', false],
    ['12345678901234567890', '"12345678901234567890"', false],
  ])('the output %s and the reference %s: equal: %s', async (output, reference, isEqual) => {
    const slug = `number-${newName().replaceAll(' ', '-')}`;
    await own.evaluator({ slug, type: 'regex', config: { pattern: '[0-9]' }, target: 'trace' });
    const { id: datasetId, itemIds } = await own.dataset([{ input: 'n' }]);
    const changed = await fetch(`${own.app.url}/v1/datasets/${datasetId}/items/${itemIds[0]}`, {
      method: 'PATCH',
      headers: { 'x-api-key': own.app.apiKey, 'content-type': 'application/json' },
      body: `{"expectedOutput":${reference}}`,
    });
    expect(changed.status).toBe(200);
    own.target.answers((response) => void response.writeHead(200).end(`{"output":${output}}`));
    // Evaluators take numbers as doubles, and 1e400 is none.
    const run = await own.completed(await own.scenario({ datasetId, referenceMatch: { mode: 'exact' }, evaluators: [slug] }));
    const [result] = await own.items(run.id);
    expect([result?.referenceMatch, result?.scores.map(({ passed }) => passed)]).toEqual([isEqual, [output !== '1e400']]);
  });

  test('match the reference fuzzily', async () => {
    const { id: datasetId } = await own.dataset([
      { input: 'abcdefghij', expectedOutput: 'abcdefghXX' },
      { input: 'abcdefghij', expectedOutput: 'abcdefgXXX' },
      { input: { b: 1, a: [2] }, expectedOutput: { a: [2], b: 1 } },
    ]);
    const fuzzy = await own.completed(await own.scenario({ datasetId, referenceMatch: { mode: 'fuzzy' } }));
    expect((await own.items(fuzzy.id)).map(({ referenceMatch }) => referenceMatch)).toEqual([true, false, true]);
    const exact = await own.completed(await own.scenario({ datasetId, referenceMatch: { mode: 'exact' } }));
    expect((await own.items(exact.id)).map(({ referenceMatch }) => referenceMatch)).toEqual([false, false, true]);
  });

  test.each([
    ['1e400', 'null', false],
    ['1e400', '"null"', false],
    ['1e400', '1e999', false],
    ['1e400', '1e400', true],
    ['0.10000000000000000001', '0.1', false],
    ['1.0', '1', true],
  ])('match the reference fuzzily by the number as it is written: %s and %s', async (output, reference, matches) => {
    const { id: datasetId, itemIds } = await own.dataset([{ input: 1 }]);
    await fetch(`${own.app.url}/v1/datasets/${datasetId}/items/${itemIds[0]}`, {
      method: 'PATCH',
      headers: { 'x-api-key': own.app.apiKey, 'content-type': 'application/json' },
      body: `{"expectedOutput":${reference}}`,
    });
    own.target.answers((response) => void response.writeHead(200).end(`{"output":${output}}`));
    const run = await own.completed(await own.scenario({ datasetId, referenceMatch: { mode: 'fuzzy' } }));
    expect((await own.items(run.id)).map(({ referenceMatch }) => referenceMatch)).toEqual([matches]);
  });
});

describe('the traces of items', () => {
  test('are shown, and count neither in the figures of models nor against the quota', async () => {
    // The newest of all, on the first page of the list.
    own.app.clock.advance(1_000);
    const { id: datasetId } = await own.dataset([{ input: 'traced' }]);
    const run = await own.completed(await own.scenario({ datasetId }), { label: 'traces' });
    await own.app.pipeline.drain();
    const [item] = await own.items(run.id);
    const { body } = await own.request('GET', `/projects/${own.app.projectId}/traces/${item?.traceId}`);
    expect(body.trace).toMatchObject({ environment: 'simulation', tags: ['simulation'], agents: ['simulation'] });
    expect(body.spans).toMatchObject([
      {
        // As OTLP requires: 8 bytes.
        spanId: expect.stringMatching(/^[0-9a-f]{16}$/) as string,
        kind: 'chain',
        name: run.scenarioName,
        input: 'traced',
        output: 'traced',
        metadata: { batchRunId: run.id, label: 'traces' },
        attributes: { 'http.request.method': 'POST', 'url.full': `${own.url}/` },
      },
    ]);
    expect(body.spans).toHaveLength(1);
    const listed = await own.request(
      'GET',
      `/projects/${own.app.projectId}/traces?tag=simulation&environment=simulation&agent=simulation`,
    );
    expect(listed.body.traces.map(({ traceId }: { traceId: string }) => traceId)).toContain(item?.traceId);
    const health = await own.request('GET', `/projects/${own.app.projectId}/ingest-health`);
    expect(health.body.quota.used).toBe(0);
  });
});
