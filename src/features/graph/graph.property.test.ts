import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runs } from '../../../test/support/runs.ts';
import { rangeNames } from '../../contract/common.ts';
import type { GraphQuery } from '../../contract/graph.ts';
import { nanoseconds, spanBefore } from '../models/events.fixture.ts';
import { expectClose } from '../models/expect-close.fixture.ts';
import { nowMs } from '../models/models-service.fixture.ts';
import type { SpanRecord } from '../records/index.ts';
import { openGraphService } from './graph-service.fixture.ts';
import type { GraphService } from './graph-service.fixture.ts';
import { GraphOracle } from './graph.oracle.ts';
import { dayMs } from '../../contract/durations.ts';

let service: GraphService;

beforeAll(async () => {
  service = await openGraphService();
}, 60_000);
afterAll(() => service.close());

const today = Date.UTC(2026, 10, 20);
// Around the edges of days, ranges and the free plan's retention; most of them close together, so that traces have several nodes in a window.
const edges = [today, today - 6 * dayMs, today - 29 * dayMs, nowMs - 14 * dayMs, nowMs - 3_600_000, nowMs - 3_600_000];
const instant = fc
  .tuple(fc.constantFrom(...edges), fc.constantFrom(-3_600_000, -1, 0, 0.001, 1, 60_000))
  .map(([edge, offset]) => nanoseconds(edge + offset));
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null, freq: 3 });
const environments = ['', '', 'production', 'staging'] as const;

const span: fc.Arbitrary<SpanRecord> = fc
  .record({
    traceId: fc.constantFrom('t1', 't2', 't3', 't4'),
    number: fc.integer({ min: 0, max: 6 }),
    parent: fc.integer({ min: -1, max: 7 }),
    kind: fc.constantFrom('llm', 'llm', 'agent', 'agent', 'tool', 'retriever', 'embedding', 'chain', 'span'),
    name: fc.constantFrom('', 'search', 'look up', '～x', '😀'),
    startNs: instant,
    durationMs: maybe(fc.constantFrom(0, 1.25, 800, 812, 3_600_000)),
    status: fc.constantFrom('ok', 'ok', 'error'),
    model: fc.constantFrom('', 'gpt-4o', 'gpt-4o', 'claude'),
    provider: fc.constantFrom('', 'openai', 'anthropic'),
    promptName: fc.constantFrom('', '', 'greet', 'gpt-4o'),
    agentName: fc.constantFrom('', 'planner', 'writer', 'search'),
    toolName: fc.constantFrom('', '', 'browser'),
    service: fc.constantFrom('', 'api', 'worker'),
    environment: fc.constantFrom(...environments),
    responseId: fc.constantFrom('', '', 'r1', 'r2'),
    inputTokens: maybe(fc.constantFrom(0, 5)),
    costUsd: maybe(fc.constantFrom(0, 0.1, 0.2, 1e-9)),
    sessionId: fc.constantFrom('', 's1', 's2'),
    userId: fc.constantFrom('', 'u1', 'u2'),
  })
  .map(({ number, parent, startNs, durationMs, ...fields }): SpanRecord => ({
    ...spanBefore,
    ...fields,
    kind: fields.kind as SpanRecord['kind'],
    status: fields.status as SpanRecord['status'],
    errorCode: fields.status === 'error' ? 'unknown' : '',
    costStatus: fields.costUsd === null ? 'unpriced' : fields.costUsd === 0.2 ? 'partly_priced' : 'provided',
    startNs,
    endNs: durationMs === null ? null : startNs + nanoseconds(durationMs),
    // Spans beside each other are calls of their own.
    responseId: fields.responseId && `${fields.responseId} ${number}`,
    spanId: `s${number}`,
    // Parents may form cycles; the one with number 7 is never sent.
    parentSpanId: parent < 0 ? '' : `s${parent}`,
  }));
const record: fc.Arbitrary<SpanRecord> = fc
  .record({
    traceId: fc.constantFrom('t1', 't2', 't3', 't4'),
    environment: fc.constantFrom(...environments),
    sessionId: fc.constantFrom('', 's3'),
    startNs: instant,
  })
  .map((fields) => ({ ...spanBefore, ...fields, spanId: '', name: '' }));

const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      spans: fc.array(fc.oneof({ weight: 12, arbitrary: span }, { weight: 1, arbitrary: record }), {
        minLength: 4,
        maxLength: 20,
      }),
      seal: fc.constantFrom('nothing' as const, 'hours' as const, 'days' as const),
    }),
  },
  { weight: 1, arbitrary: fc.constantFrom('t1', 't2').map((trace) => ({ delete: trace })) },
);
const moment = fc
  .tuple(fc.constantFrom(...edges), fc.constantFrom(-3_600_000, 0, 1, 1_800_000))
  .map(([edge, offset]) => new Date(edge + offset).toISOString());
const question = fc.record({
  plan: fc.constantFrom('free' as const, 'scale' as const),
  range: fc.oneof(
    fc.constantFrom(...rangeNames).map((range): GraphQuery => ({ range })),
    moment.map((from): GraphQuery => ({ from })),
  ),
  environment: fc.constantFrom<string[] | undefined>(undefined, undefined, ['production'], [''], ['', 'production']),
});

describe('the graph and every blast radius agree with the oracle', () => {
  test.each(['dirty', 'sealed', 'mixed'] as const)(
    'with %s hours',
    async (state) => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(step, { minLength: 1, maxLength: 4 }),
          question,
          async (steps, { plan, range, environment }) => {
            const project = service.project(plan);
            service.clock.set(nowMs);
            let sent: SpanRecord[] = [];
            for (const one of steps) {
              if ('delete' in one) {
                await service.deleteTrace(project, one.delete);
                sent = sent.filter(({ traceId }) => traceId !== one.delete);
                continue;
              }
              await service.store(project, { spans: one.spans, scores: [] });
              sent.push(...one.spans);
              const seal = { dirty: 'nothing' as const, sealed: 'days' as const, mixed: one.seal }[state];
              if (seal !== 'nothing') await service.sealAll(seal);
            }
            const query = { ...range, ...(environment === undefined ? {} : { environment }) };
            const oracle = new GraphOracle(sent, { nowMs: service.clock.now(), plan, query });
            const graph = await service.graph(project, query);
            expectClose(graph, oracle.graph());
            for (const { id } of [...graph.nodes.slice(0, 2), ...graph.nodes.slice(2).slice(-2)]) {
              const { changes, ...radius } = (await service.blastRadius(project, id, query)) ?? { changes: [] };
              expectClose(radius, oracle.blastRadius(id));
              expect(changes).toEqual([]);
            }
          },
        ),
        { numRuns: runs({ usual: 6, nightly: 12 }), endOnFailure: true },
      );
    },
    240_000,
  );
});
