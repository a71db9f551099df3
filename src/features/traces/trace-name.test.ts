import { afterAll, beforeAll, expect, test } from 'vitest';
import { nowNs, openTracesService } from './traces-service.fixture.ts';
import type { TracesService } from './traces-service.fixture.ts';

let service: TracesService;

beforeAll(async () => {
  service = await openTracesService();
});
afterAll(() => service.close());

type StoredSpans = NonNullable<Parameters<TracesService['store']>[1]['spans']>;
type Sent = StoredSpans[number];

const root: Sent = { spanId: 'b', name: 'the root', startNs: nowNs + 2n };
const child: Sent = { spanId: 'c', parentSpanId: 'b', name: 'a child', startNs: nowNs + 3n };
const orphan: Sent = { spanId: 'a', parentSpanId: 'lost', name: 'an orphan', startNs: nowNs };

test.each<[string, Sent[], string]>([
  ['its root without another name', [root, child], 'the root'],
  ['its true root before an earlier span whose parent never came', [orphan, root], 'the root'],
  ['a span whose parent never came where there is no true root', [orphan], 'an orphan'],
  ["a child's name of the trace", [root, { ...child, traceName: 'checkout' }], 'checkout'],
  [
    "the root's name of the trace before others",
    [
      { ...orphan, traceName: 'other' },
      { ...root, traceName: 'checkout' },
    ],
    'checkout',
  ],
  [
    'its own record before all',
    [
      { ...root, traceName: 'checkout' },
      { spanId: '', name: 'recorded' },
    ],
    'recorded',
  ],
])('a trace is named by %s', async (_what, spans, name) => {
  const project = service.project();
  await service.store(project, { spans: spans.map((span) => ({ traceId: 't', source: 'otlp', ...span })) });
  expect((await service.request(project, '/traces/t')).body.trace.name).toBe(name);
  expect((await service.request(project, '/traces')).body.traces).toMatchObject([{ name }]);
});
