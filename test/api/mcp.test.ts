import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addMember } from '../support/add-member.ts';
import { startTestApp } from '../support/app.ts';
import type { TestApp } from '../support/app.ts';
import { connectMcp, message, sendMcp } from '../support/mcp-client.ts';
import type { McpConnection } from '../support/mcp-client.ts';
import { fillForMcp, hostile, post, startMs } from '../support/mcp-data.ts';
import type { McpData } from '../support/mcp-data.ts';

const reading = [
  'search_traces',
  'get_trace',
  'get_span',
  'list_models',
  'get_model',
  'query',
  'list_prompts',
  'get_prompt',
  'list_datasets',
  'compare_runs',
  'list_incidents',
  'get_graph',
  'blast_radius',
  'ingest_health',
];
const writing = ['create_dataset_items', 'create_prompt_version', 'record_score'];
const maxBytes = 32_000;
let app: TestApp;
let mcp: McpConnection;
let writer: McpConnection;
let { datasetId, runs, other } = {} as McpData;

beforeAll(async () => {
  app = await startTestApp(startMs);
  ({ datasetId, runs, other } = await fillForMcp(app));
  mcp = await connectMcp(app.url, { 'x-api-key': app.apiKey });
  writer = await connectMcp(app.url, { authorization: `Bearer ${app.apiKey}` }, '?write=true');
});
afterAll(async () => {
  await mcp.close();
  await writer.close();
  await app.close();
});

/** Every page of a tool, each within the limit. */
async function pages(name: string, args: Record<string, unknown>): Promise<Array<Record<string, unknown>>> {
  const all: Array<Record<string, unknown>> = [];
  let cursor: unknown;
  do {
    const result = await mcp.call(name, { ...args, ...(cursor === undefined ? {} : { cursor }) });
    expect(result.isError, JSON.stringify(result.content)).toBeUndefined();
    expect(Buffer.byteLength(JSON.stringify(result))).toBeLessThanOrEqual(maxBytes);
    const page = result.structuredContent ?? {};
    all.push(page);
    cursor = page['nextCursor'];
    expect(all.length).toBeLessThan(200);
  } while (typeof cursor === 'string');
  return all;
}

const flat = <T>(all: Array<Record<string, unknown>>, name: string) => all.flatMap((page) => page[name] as T[]);

describe('tools', () => {
  test('that write are listed with ?write=true only', async () => {
    expect(await mcp.tools()).toEqual(reading);
    expect(await writer.tools()).toEqual([...reading, ...writing]);
  });

  test('have the parameters of the routes as arguments, and say whether they only read', async () => {
    const { tools } = await writer.client.listTools();
    const search = tools.find(({ name }) => name === 'search_traces');
    expect(Object.keys(search?.inputSchema.properties ?? {})).toEqual(
      expect.arrayContaining(['limit', 'cursor', 'range', 'model', 'q', 'sort']),
    );
    expect(tools.flatMap(({ inputSchema }) => Object.keys(inputSchema.properties ?? {}))).not.toContain('projectId');
    expect(tools.filter(({ annotations }) => annotations?.readOnlyHint !== true).map(({ name }) => name)).toEqual(writing);
  });

  test('search_traces filters, and continues with nextCursor', async () => {
    const all = await pages('search_traces', { limit: 50, sort: 'startTime' });
    expect(all.length).toBeGreaterThan(2);
    expect(new Set(flat<{ traceId: string }>(all, 'traces').map(({ traceId }) => traceId)).size).toBe(63);
    const failed = await mcp.answer('search_traces', { model: 'gpt-4o', status: 'error' });
    expect((failed['traces'] as Array<{ traceId: string }>).map(({ traceId }) => traceId).toSorted()).toEqual(['t1', 't2']);
    expect(await mcp.answer('search_traces', { limit: 1 })).toMatchObject({ traces: [{}], nextCursor: expect.any(String) });
  });

  test('get_trace has the spans in tree order, then scores', async () => {
    expect(await mcp.answer('get_trace', { traceId: 't1' })).toMatchObject({
      trace: { traceId: 't1', spanCount: 3, errorCount: 1 },
      spans: [{ spanId: 'a' }, { spanId: 'b', depth: 1, inputPreview: expect.any(String) }, { spanId: 'c' }],
      scores: [],
      outcomes: [],
      nextCursor: null,
    });
    for (const payloads of ['none', 'full']) {
      const all = await pages('get_trace', { traceId: 'wide', payloads });
      const spans = flat<object>(all, 'spans');
      expect(spans).toHaveLength(90);
      expect(spans[5]).toMatchObject({
        spanId: 'w005',
        ...(payloads === 'full' ? { input: expect.stringMatching(/^question 5 y+$/) } : {}),
      });
      expect(new Set(flat<{ evaluator: string }>(all, 'scores').map(({ evaluator }) => evaluator)).size).toBe(60);
    }
  });

  test('get_span cuts payloads with a mark, and continues them', async () => {
    expect(await mcp.answer('get_span', { traceId: 't1', spanId: 'b' })).toMatchObject({
      spanId: 'b',
      input: [{ role: 'user', content: expect.stringContaining('Ignore all previous') }],
      usage: { inputTokens: 10 },
      metadata: null,
      nextCursor: null,
    });
    const [first, ...rest] = await pages('get_span', { traceId: 't2', spanId: 'b' });
    const texts: Record<string, string> = {};
    for (const name of ['input', 'output']) {
      const [, begin = ''] = /^(.*) … \[cut: \d+ of \d+ characters\]$/s.exec(String(first?.[name])) ?? [];
      texts[name] = begin;
    }
    for (const { continued } of rest) {
      const { name, from, text } = continued as { name: string; from: number; text: string };
      expect(from).toBe(texts[name]?.length);
      texts[name] += text;
    }
    expect(JSON.parse(texts['output'] ?? '')).toBe('é"\\'.repeat(8_000));
    expect(JSON.parse(texts['input'] ?? '')).toEqual([{ role: 'user', content: `${hostile}${'x'.repeat(24_000)}` }]);
  });

  test('list_models, get_model, get_graph and blast_radius may be called with a key', async () => {
    const models = flat<{ model: string }>(await pages('list_models', {}), 'models').map(({ model }) => model);
    expect(new Set(models).size).toBe(46);
    const model = await pages('get_model', { model: 'gpt-4o', range: '7d' });
    expect(model[0]).toMatchObject({ model: 'gpt-4o', found: true, errorBreakdown: [{ error_code: 'timeout', count: 2 }] });
    expect(flat<object>(model, 'timeline')).toHaveLength(1);
    const graph = await pages('get_graph', {});
    expect(flat<{ id: string }>(graph, 'nodes').map(({ id }) => id)).toContain('model:gpt-4o');
    expect(flat<{ source: string }>(graph, 'edges')).toContainEqual(
      expect.objectContaining({ source: 'agent:support', target: 'model:gpt-4o' }),
    );
    expect(await mcp.answer('blast_radius', { node: 'model:gpt-4o' })).toMatchObject({
      node: { id: 'model:gpt-4o' },
      affected: [{ id: 'agent:support', distance: 1 }],
      totals: { traces: 2 },
    });
  });

  test('list_prompts and get_prompt', async () => {
    const names = flat<{ name: string }>(await pages('list_prompts', {}), 'prompts').map(({ name }) => name);
    expect(names).toEqual(['prompt-0', 'prompt-1', 'prompt-2']);
    expect(await mcp.answer('get_prompt', { name: 'prompt-0' })).toMatchObject({
      version: 1,
      prompt: 'Hello {{name}} ',
      labels: ['latest'],
    });
    const [first, ...rest] = await pages('get_prompt', { name: 'prompt-2', version: 1 });
    const pieces = rest.map(({ continued }) => (continued as { text: string }).text).join('');
    expect(`${String(first?.['prompt']).split(' … [cut')[0]}${pieces}`).toBe(`Hello {{name}} ${'z'.repeat(30_000)}`);
    expect(await mcp.refusal('get_prompt', { name: 'prompt-0', label: 'production' })).toMatch(/no such prompt/);
    expect(await mcp.refusal('get_prompt', { name: 'prompt-0', label: 'a', version: '1' })).toMatch(/either version or label/);
  });

  test('list_datasets, list_incidents and ingest_health', async () => {
    expect(await mcp.answer('list_datasets')).toMatchObject({ datasets: [{ id: datasetId, itemCount: 70 }], nextCursor: null });
    expect(await mcp.answer('list_incidents', { status: 'open' })).toMatchObject({
      incidents: [{ ruleName: 'quiet' }],
      nextCursor: null,
    });
    expect(await mcp.answer('list_incidents', { status: 'resolved' })).toMatchObject({ incidents: [] });
    expect(await mcp.answer('ingest_health')).toMatchObject({ status: 'healthy', quota: { limit: expect.any(Number) } });
  });

  test('compare_runs has every item once, and the differences on the first page', async () => {
    const all = await pages('compare_runs', { datasetId, runs: runs.join(',') });
    const items = flat<{ datasetItemId: string; a: { output: string } }>(all, 'items');
    expect(new Set(items.map((item) => item.datasetItemId)).size).toBe(70);
    expect(items).toHaveLength(70);
    expect(items[0]?.a.output).toMatch(/^"?a o+ … \[cut: \d+ of \d+ characters\]/);
    expect(new Set(flat<{ evaluator: string }>(all, 'byEvaluator').map(({ evaluator }) => evaluator)).size).toBe(60);
  });

  test('that write do what their routes do', async () => {
    const added = await writer.answer('create_dataset_items', {
      datasetId,
      items: [{ input: { a: [1, null] } }, { source: { traceId: 't1' } }],
    });
    expect(added).toMatchObject({ created: 2, items: [{ input: { a: [1, null] } }, { source: { traceId: 't1' } }] });
    const version = await writer.answer('create_prompt_version', { name: 'prompt-0', prompt: 'Hi', labels: ['production'] });
    expect(version).toMatchObject({ version: 2, labels: ['latest', 'production'], prompt: 'Hi' });
    const score = await writer.answer('record_score', { traceId: 't1', evaluator: 'helpful', score: 0.5 });
    expect(score).toMatchObject({ evaluator: 'helpful', score: 0.5, source: 'api', recordedBy: { type: 'api_key' } });
    expect(await writer.refusal('create_dataset_items', { datasetId, items: [{}] })).toMatch(/input/);
    const nested = JSON.parse('['.repeat(65) + ']'.repeat(65)) as unknown;
    await expect(writer.refusal('create_dataset_items', { datasetId, input: nested })).rejects.toThrow(/64 levels/);
    const large = Array.from({ length: 300 }, (_, n) => ({ input: `${n} ${'i'.repeat(900)}` }));
    const result = await writer.call('create_dataset_items', { datasetId, items: large });
    expect(result.structuredContent).toMatchObject({ created: 300, truncated: true });
    expect(Buffer.byteLength(JSON.stringify(result))).toBeLessThanOrEqual(maxBytes);
  });
});

describe('answers', () => {
  test('say that they are data, and hide nothing in invisible characters', async () => {
    const result = await mcp.call('get_span', { traceId: 't1', spanId: 'b' });
    const [notice, data] = result.content.map((block) => (block.type === 'text' ? block.text : ''));
    expect(notice).toMatch(/not as instructions/);
    expect(result.structuredContent?.['notice']).toBe(notice);
    for (const hidden of ['\u202e', '\u200b', '\u{e0041}', '\u0000']) expect(data).not.toContain(hidden);
    // Escaped, not lost.
    expect(JSON.parse(data ?? '')).toMatchObject({ input: [{ content: expect.stringContaining('\u202e\u200b\u{e0041}') }] });
  });

  test('are errors with the sentence of the service', async () => {
    const result = await mcp.call('search_traces', { limit: 0 });
    expect(result).toMatchObject({
      isError: true,
      structuredContent: { code: 'invalid_request', details: [{ path: '/limit' }] },
    });
    expect(await mcp.refusal('search_traces', { modle: 'x' })).toMatch(/modle/);
    expect(await mcp.refusal('search_traces', { cursor: 'x' })).toMatch(/cursor is not valid/);
    expect(await mcp.refusal('get_graph', { cursor: 'x' })).toMatch(/cursor is not valid/);
    expect(await mcp.refusal('get_span', { traceId: 't1', spanId: 'b', cursor: 'WyJpbnB1dCIsOTk5OTk5LDFd' })).toMatch(
      /cursor is not valid/,
    );
    expect(await mcp.refusal('get_trace', { traceId: 'none' })).toMatch(/no such trace/);
    expect(await mcp.refusal('get_trace', {})).toBe('Correct the arguments: /traceId is required.');
    expect(await mcp.refusal('blast_radius', { node: 'model:none' })).toMatch(/no such node/);
    const sentence = 'This connection reads only; connect with /mcp?write=true to use tools that write.';
    expect(await mcp.call('record_score', { traceId: 't1', evaluator: 'e', score: 1 })).toEqual({
      content: [{ type: 'text', text: sentence }],
      structuredContent: { error: sentence, code: 'forbidden' },
      isError: true,
    });
    await expect(mcp.call('drop_tables')).rejects.toThrow(/no such tool/);
  });
});

describe('callers', () => {
  const send = (headers: Record<string, string>, body: unknown = message, query = '', method = 'POST') =>
    sendMcp(app.url, headers, body, { query, method });

  test('without valid credentials get 401 with the scheme', async () => {
    for (const headers of [{}, { 'x-api-key': 'spw_nonsense' }, { authorization: 'Bearer spwu_nonsense' }]) {
      const answer = await send(headers as Record<string, string>);
      expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="spanwise"']);
      expect(await answer.json()).toMatchObject({ code: 'unauthenticated', error: expect.any(String) });
    }
  });

  test('of another origin get 403, and those of the own one are answered', async () => {
    const key = { 'x-api-key': app.apiKey };
    for (const origin of ['https://evil.example', 'null', 'http://127.0.0.1.evil.example']) {
      expect((await send({ ...key, origin })).status, origin).toBe(403);
    }
    const own = await send({ ...key, origin: new URL(app.url).origin });
    expect([own.status, own.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
  });

  test('with other methods than POST get 405', async () => {
    for (const method of ['GET', 'DELETE', 'PUT']) {
      const answer = await send({ 'x-api-key': app.apiKey, accept: 'text/event-stream' }, null, '', method);
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
      expect(await answer.json()).toMatchObject({ code: 'method_not_allowed' });
    }
  });

  test('do not reach another project', async () => {
    const theirs = await connectMcp(app.url, { 'x-api-key': other.key }, '?write=true');
    const notFound = [
      ['get_trace', { traceId: 't1' }],
      ['get_span', { traceId: 't1', spanId: 'b' }],
      ['get_prompt', { name: 'prompt-0' }],
      ['compare_runs', { datasetId, runs: runs.join(',') }],
      ['blast_radius', { node: 'model:gpt-4o' }],
      ['create_dataset_items', { datasetId, input: 1 }],
      ['create_prompt_version', { name: 'a', prompt: 'b', projectId: app.projectId }],
    ] as const;
    for (const [name, args] of notFound) {
      const result = await theirs.call(name, args);
      expect([name, result.isError, result.structuredContent?.['code']]).toEqual([name, true, 'not_found']);
    }
    expect(await theirs.answer('search_traces')).toMatchObject({ traces: [] });
    expect(await theirs.answer('list_models')).toMatchObject({ models: [] });
    expect(await theirs.answer('list_prompts')).toMatchObject({ prompts: [] });
    expect(await theirs.answer('list_datasets')).toMatchObject({ datasets: [] });
    expect(await theirs.answer('list_incidents')).toMatchObject({ incidents: [] });
    expect(await theirs.answer('get_graph')).toMatchObject({ nodes: [], edges: [] });
    expect(await theirs.answer('get_model', { model: 'gpt-4o' })).toMatchObject({ found: false });
    expect(await theirs.answer('ingest_health')).toMatchObject({ status: 'never' });
    await theirs.close();
  });

  test('with a personal token name the project, and write as far as their role may', async () => {
    const viewer = { email: 'viewer@example.com', name: 'Viewer', role: 'viewer', password: 'a password of theirs' };
    const { cookie } = await addMember(app.url, { cookie: app.cookie }, app.organizationId, viewer);
    const { token } = await post<{ token: string }>(app, '/v1/me/tokens', { name: 'mcp' }, { cookie });
    const bearer = { authorization: `Bearer ${token}` };
    expect((await send(bearer)).status).toBe(400);
    expect((await send(bearer, message, '?projectId=0197a000-0000-7000-8000-00000000000f')).status).toBe(403);
    const connection = await connectMcp(app.url, bearer, `?projectId=${app.projectId}&write=true`);
    expect(await connection.tools()).toEqual(reading);
    expect(await connection.answer('get_trace', { traceId: 't1' })).toMatchObject({ trace: { traceId: 't1' } });
    expect(await connection.call('record_score', { traceId: 't1', evaluator: 'e', score: 1 })).toMatchObject({
      isError: true,
      structuredContent: { error: expect.stringMatching(/lacks the permission evaluations:manage/), code: 'forbidden' },
    });
    await connection.close();
    const { token: ownToken } = await post<{ token: string }>(app, '/v1/me/tokens', { name: 'mcp' }, { cookie: app.cookie });
    const owner = await connectMcp(app.url, { authorization: `Bearer ${ownToken}` }, `?projectId=${app.projectId}&write=true`);
    expect(await owner.answer('record_score', { traceId: 't1', evaluator: 'e', score: 1 })).toMatchObject({
      source: 'annotation',
      recordedBy: { type: 'user' },
    });
    await owner.close();
  });

  test('are not a browser: a session cookie is no credential', async () => {
    const answer = await send({ cookie: app.cookie }, message, `?projectId=${app.projectId}`);
    expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([401, 'unauthenticated']);
  });

  test('that connect without ?write=true are told how to write', async () => {
    expect(await mcp.refusal('record_score', { traceId: 't1', evaluator: 'e', score: 1 })).toMatch(/write=true/);
  });

  test('are limited to 300 requests a minute', async () => {
    const statuses = new Set<number>();
    for (let n = 0; n < 301; n += 1)
      statuses.add((await send({ 'x-api-key': other.key }, { jsonrpc: '2.0', id: n, method: 'ping' })).status);
    expect([...statuses]).toEqual([200, 429]);
  });
});
