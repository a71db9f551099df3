import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runs } from '../../../../test/support/runs.ts';
import type { TestProject } from '../../../../test/support/test-projects.ts';
import { dayMs, hourMs } from '../../../contract/durations.ts';
import { spanKinds } from '../../../contract/kinds.ts';
import type { SpanRecord } from '../../records/index.ts';
import { nowMs, openTracesService } from '../traces-service.fixture.ts';
import type { TracesService } from '../traces-service.fixture.ts';

let service: TracesService;
beforeAll(async () => {
  service = await openTracesService();
}, 60_000);
afterAll(() => service.close());

const orNone = (...values: string[]) => fc.constantFrom('', ...values);
const span = fc.record({
  traceId: fc.constantFrom('t1', 't2', 't3', 't4'),
  // The empty id is the trace's own record.
  spanId: fc.constantFrom('', 'a', 'b', 'c'),
  parentSpanId: orNone('a', 'gone'),
  // Some of them around the edge of the retention.
  hours: fc.constantFrom(0, 0, 1, 2, 30, 24 * 89, 24 * 91),
  name: fc.constantFrom('chat', 'search', 'invoke_agent helper'),
  kind: fc.constantFrom(...spanKinds),
  model: orNone('m1', 'm2'),
  provider: orNone('p'),
  agentName: orNone('helper'),
  status: fc.constantFrom('ok' as const, 'error' as const),
  errorCode: orNone('timeout'),
  environment: fc.constantFrom('prod', 'prod', 'dev', ''),
  sessionId: orNone('s1', 's2'),
  userId: orNone('u1'),
  tags: fc.constantFrom([], ['x'], ['x', 'y']),
  inputTokens: fc.option(fc.nat(100)),
  costUsd: fc.option(fc.constantFrom(0.5, 1.25)),
});
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ store: fc.array(span, { minLength: 1, maxLength: 8 }) }) },
  { weight: 1, arbitrary: fc.record({ remove: fc.constantFrom('t1', 't2', 't3') }) },
  { weight: 1, arbitrary: fc.constant({ merge: true }) },
  { weight: 1, arbitrary: fc.constant({ wait: 2 * dayMs }) },
);
const filters = [
  '',
  'environment:prod',
  'NOT environment:prod',
  'model:m1 status:error environment:(prod OR dev)',
  'session:s1 OR user:*',
  'tag:x agent:helper',
  'unpriced:true',
  'trace.status:error cost:>0.6',
  'any(status:error) kind:llm',
  'metadata.a:1 OR errorCode:timeout',
];
const fields = [
  'name',
  'status',
  'model',
  'environment',
  'session',
  'tag',
  'agent',
  'provider',
  'trace.status',
  'latency',
  'cost',
  'tokens',
];

/** Everything that is read of the spans that meet a filter. @param whole from `span_headers` */
async function read(project: TestProject, filter: string, whole: boolean): Promise<unknown> {
  service.search.whole = whole;
  const met = `range=365d&filter=${encodeURIComponent(filter)}`;
  const answers: unknown[] = [];
  for (const sort of ['-startTime', 'startTime', '-latency', 'cost']) {
    let cursor: string | null = '';
    for (let pages = 0; cursor !== null && pages < 10; pages++) {
      const next: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const { body } = await service.request(project, `/spans?${met}&sort=${sort}&limit=3${next}`);
      answers.push(body.spans);
      cursor = body.nextCursor as string | null;
    }
  }
  for (const path of [`/span-counts?${met}`, `/span-counts?${met}&roots=true`, `/facets?on=spans&${met}&${asked}`]) {
    const { status, body } = await service.request(project, path);
    answers.push([status, body]);
  }
  return answers.filter((rows) => !Array.isArray(rows) || rows.length > 0);
}

const asked = fields.map((field) => `field=${field}`).join('&');

test(
  'span_headers gives what the spans give, whatever was sent again with another start, deleted, merged or has expired',
  { timeout: 300_000 },
  async () => {
    let counted = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 2, maxLength: 5 }),
        fc.uniqueArray(fc.constantFrom(...filters), { minLength: 2, maxLength: 3 }),
        async (steps, chosen) => {
          const project = service.project('scale');
          service.clock.advance(nowMs - service.clock.now());
          for (const one of steps) {
            if ('store' in one) await service.store(project, { spans: one.store.map(spanOf) });
            else if ('remove' in one) await service.request(project, `/traces/${one.remove}`, { method: 'DELETE', by: 'admin' });
            else if ('merge' in one) await service.clickhouse.command('OPTIMIZE TABLE span_headers FINAL');
            else service.clock.advance(one.wait);
          }
          for (const filter of chosen) {
            const expected = await read(project, filter, false);
            expect(await read(project, filter, true)).toEqual(expected);
            counted += JSON.stringify(expected).includes('"traceId"') ? 1 : 0;
          }
        },
      ),
      { numRuns: runs({ usual: 4, nightly: 100 }) },
    );
    // The filters are met by spans.
    expect(counted).toBeGreaterThan(0);
  },
);

function spanOf({ hours, ...fields }: { hours: number } & Partial<SpanRecord>): Partial<SpanRecord> {
  const startNs = BigInt(service.clock.now() - hours * hourMs) * 1_000_000n;
  const costStatus = fields.costUsd === null ? 'unpriced' : 'priced';
  return { ...fields, costStatus, startNs, endNs: startNs + 1_000_000n };
}
