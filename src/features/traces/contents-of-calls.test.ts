import { afterAll, beforeAll, expect, test } from 'vitest';
import { findSpans, readSpanPayloads } from './span-payloads.ts';
import { nowNs, openTracesService } from './traces-service.fixture.ts';
import type { TracesService } from './traces-service.fixture.ts';

let service: TracesService;

beforeAll(async () => {
  service = await openTracesService();
});
afterAll(() => service.close());

const root = {
  spanId: 'root',
  startNs: nowNs,
  endNs: nowNs + 9_000_000n,
  name: 'answer',
  kind: 'agent' as const,
  sessionId: 's1',
};
const llm = { kind: 'llm' as const, model: 'gpt' };
/** The second call starts first, in a branch that is later in the tree. */
const calls = [
  {
    spanId: 'early',
    parentSpanId: 'root',
    startNs: nowNs + 1n,
    kind: 'chain' as const,
    input: '"of a chain"',
    output: '"of a chain"',
  },
  { ...llm, spanId: 'c1', parentSpanId: 'early', startNs: nowNs + 5n, input: '"asked"', output: '"plan"' },
  { spanId: 'late', parentSpanId: 'root', startNs: nowNs + 2n, kind: 'tool' as const, output: '"of a tool"' },
  { ...llm, spanId: 'c2', parentSpanId: 'late', startNs: nowNs + 3n, input: '"plan"', output: '"answered"' },
  { ...llm, spanId: 'c3', parentSpanId: 'late', startNs: nowNs + 4n, input: '"unanswered"' },
];

test('a trace without input and output has those of its calls, depth first, in every read', async () => {
  const project = service.project();
  await service.store(project, { spans: [root, ...calls] });
  const { body } = await service.request(project, '/traces/t1');
  const own = { inputPreview: '"asked"', outputPreview: '"answered"', inputFrom: 'c1', outputFrom: 'c2' };
  expect(body.trace).toMatchObject({ ...own, input: 'asked', output: 'answered' });
  expect((await service.request(project, '/traces/t1?payloads=none')).body.trace).toMatchObject(own);
  const payloads = await service.request(project, '/traces/t1/payloads');
  expect(payloads.body).toEqual({ input: 'asked', output: 'answered', metadata: null });
  const previews = { inputPreview: '"asked"', outputPreview: '"answered"' };
  expect((await service.request(project, '/traces')).body.traces).toMatchObject([previews]);
  expect((await service.request(project, '/sessions/s1')).body.traces).toMatchObject([previews]);
  const tenant = { projectId: project.projectId, plan: 'scale' as const };
  const found = await findSpans(service, tenant, [{ traceId: 't1', spanId: null }]);
  const spans = found.filter((span) => span !== null);
  expect(spans.map(({ bytes }) => bytes)).toEqual(['"asked""answered"'.length]);
  expect(await readSpanPayloads(service, tenant, spans)).toEqual([{ input: '"asked"', output: '"answered"' }]);
});

test('the own record comes first, then the root; each for itself', async () => {
  const project = service.project();
  await service.store(project, { spans: [{ ...root, input: '"of the root"' }, ...calls] });
  expect((await service.request(project, '/traces/t1')).body.trace).toMatchObject({
    input: 'of the root',
    inputFrom: null,
    output: 'answered',
    outputFrom: 'c2',
  });
  await service.store(project, { spans: [{ spanId: '', startNs: nowNs, output: '"of the record"' }] });
  const { body } = await service.request(project, '/traces/t1');
  expect(body.trace).toMatchObject({ input: 'of the root', inputFrom: null, output: 'of the record', outputFrom: null });
});

test('a call shows the contents of a span that repeats it', async () => {
  const project = service.project();
  const otlp = { source: 'otlp' as const, inputTokens: 3, outputTokens: 2, responseId: 'r1' };
  await service.store(project, {
    spans: [
      root,
      { ...llm, ...otlp, spanId: 'outer', parentSpanId: 'root', startNs: nowNs + 1n, input: '"q"', output: '"a"' },
      { ...llm, ...otlp, spanId: 'inner', parentSpanId: 'outer', startNs: nowNs + 2n },
    ],
  });
  const { body } = await service.request(project, '/traces/t1');
  expect(body.trace).toMatchObject({ input: 'q', output: 'a', inputFrom: 'inner', outputFrom: 'inner' });
});

test('without a call that has contents there are none', async () => {
  const project = service.project();
  await service.store(project, { spans: [root, { ...llm, spanId: 'c', parentSpanId: 'root' }] });
  const { body } = await service.request(project, '/traces/t1');
  expect(body.trace).toMatchObject({ input: null, output: null, inputFrom: null, outputFrom: null, inputPreview: null });
});
