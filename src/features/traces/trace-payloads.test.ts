import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestProject } from '../../../test/support/test-projects.ts';
import { nowNs, openTracesService } from './traces-service.fixture.ts';
import type { TracesService } from './traces-service.fixture.ts';

let service: TracesService;
let project: TestProject;

const long = JSON.stringify('x'.repeat(300_000));

beforeAll(async () => {
  service = await openTracesService();
  project = service.project();
  await service.store(project, {
    spans: [
      {
        traceId: 't',
        spanId: 'root',
        name: 'run',
        kind: 'agent',
        agentName: 'helper',
        input: long,
        metadata: '{"a":1}',
        source: 'otlp',
      },
      {
        traceId: 't',
        spanId: 'child',
        parentSpanId: 'root',
        name: 'chat',
        kind: 'llm',
        startNs: nowNs + 1n,
        endNs: nowNs + 1_000_001n,
        status: 'error',
        errorCode: 'timeout',
        tags: ['a'],
        promptVersion: '3',
        input: '{"big": 12345678901234567890}',
        output: '"short"',
        attributes: '{"k":"v"}',
        source: 'otlp',
      },
      ...Array.from({ length: 60 }, (_, index) => ({
        traceId: 'wide',
        spanId: `s${index}`,
        startNs: nowNs + BigInt(index),
        input: long,
      })),
    ],
    scores: [{ traceId: 't', scoreId: 's1' }],
  });
});
afterAll(() => service.close());

const read = (path: string) => service.request(project, `/traces/${path}`);

describe('GET /v1/projects/:id/traces/:traceId?payloads=', () => {
  test('full is the default', async () => {
    const [whole, full] = await Promise.all([read('t'), read('t?payloads=full')]);
    expect(full.text).toBe(whole.text);
    expect(full.text.length).toBeGreaterThan(600_000);
  });

  test('preview has the fields that are not null, and the beginnings of the payloads', async () => {
    const [{ body: full }, preview] = await Promise.all([read('t'), read('t?payloads=preview')]);
    expect(preview.status).toBe(200);
    expect(preview.text.length).toBeLessThan(3_000);
    // What the full answer has, without what the parameter leaves out.
    const dropped = new Set(['input', 'output', 'metadata', 'attributes', 'traceId']);
    const spans = full.spans.map((span: object) =>
      Object.fromEntries(
        Object.entries(span).filter(
          ([name, value]) => value !== null && !dropped.has(name) && !(Array.isArray(value) && value.length === 0),
        ),
      ),
    );
    spans[0].inputPreview = long.slice(0, 200);
    Object.assign(spans[1], { inputPreview: '{"big": 12345678901234567890}', outputPreview: '"short"' });
    expect(preview.body.spans).toEqual(spans);
    expect(preview.body.spans[1]).toMatchObject({ agentName: 'helper', depth: 1, errorCode: 'timeout', tags: ['a'] });
    const { input: _input, output: _output, metadata: _metadata, ...trace } = full.trace;
    expect(preview.body).toEqual({ ...full, trace, spans });
  });

  test('none has no previews', async () => {
    const [{ body: none }, { body: preview }] = await Promise.all([read('t?payloads=none'), read('t?payloads=preview')]);
    for (const span of preview.spans) for (const name of ['inputPreview', 'outputPreview']) delete span[name];
    expect(none).toEqual(preview);
  });

  test('another value is refused', async () => {
    const { status, body } = await read('t?payloads=some');
    expect(status).toBe(400);
    expect(body.details).toMatchObject([{ path: '/payloads' }]);
  });

  test.each(['?payloads=some', '/spans', '/spans?spanId='])(
    'of a trace that does not exist, %s is 404 before 400',
    async (query) => {
      expect(await read(`missing${query}`)).toMatchObject({ status: 404, body: { code: 'not_found' } });
    },
  );
});

describe('GET /v1/projects/:id/traces/:traceId/spans', () => {
  test('returns the requested spans as the full trace has them, with exact payloads', async () => {
    const [{ body: full }, one, both] = await Promise.all([
      read('t'),
      read('t/spans?spanId=child'),
      read('t/spans?spanId=child&spanId=root&spanId=none'),
    ]);
    expect(one.body).toEqual({ spans: [full.spans[1]] });
    expect(one.text).toContain('{"big": 12345678901234567890}');
    expect(both.body).toEqual({ spans: full.spans });
    expect((await read('t/spans?spanId=none')).body).toEqual({ spans: [] });
  });

  test('of many large spans, the first ones have their payloads', async () => {
    const ids = Array.from({ length: 50 }, (_, index) => `spanId=s${index + 10}`);
    const { body } = await read(`wide/spans?${ids.join('&')}`);
    expect(body.truncated).toBe(true);
    expect(body.spans).toHaveLength(50);
    const whole = body.spans.filter(({ input }: { input: unknown }) => input !== null);
    // 300 kB each, counted twice, of 4 MB after the first.
    expect(whole.map(({ spanId }: { spanId: string }) => spanId)).toEqual(['s10', 's11', 's12', 's13', 's14', 's15', 's16']);
  });

  test.each([
    ['no id', ''],
    ['an empty id', 'spanId='],
    ['51 ids', Array.from({ length: 51 }, (_, index) => `spanId=s${index}`).join('&')],
  ])('%s is refused', async (_what, query) => {
    const { status, body } = await read(`wide/spans?${query}`);
    expect(status).toBe(400);
    expect(body.details).toMatchObject([{ path: '/spanId', message: 'must be 1 to 50 span ids, each of 1 to 128 characters' }]);
  });

  test('a trace of another project is not found', async () => {
    const other = service.project();
    expect((await service.request(other, '/traces/t/spans?spanId=child')).status).toBe(404);
    expect((await service.request(other, '/traces/t/payloads')).status).toBe(404);
  });
});

test('GET .../payloads returns the input, output and metadata of the trace', async () => {
  const { body: full } = await read('t');
  const { status, body } = await read('t/payloads');
  expect(status).toBe(200);
  expect(body).toEqual({ input: full.trace.input, output: 'short', metadata: { a: 1 } });
});
