import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestClickHouse } from '../../../../test/support/analytics.ts';
import { runs } from '../../../../test/support/runs.ts';
import { spanKinds } from '../../../contract/kinds.ts';
import type { ClickHouse } from '../../../platform/clickhouse/index.ts';
import type { SpanRecord } from '../../records/index.ts';
import { derivedState, expectedState, rig, score, span, startMs } from './pipeline-rig.fixture.ts';

let clickhouse: ClickHouse;
let close: () => Promise<void>;

beforeAll(async () => {
  ({ clickhouse, close } = await openTestClickHouse());
});
afterAll(() => close());

const traces = ['t1', 't2', 't3'];
const spanIds = ['a', 'b', 'c', 'd'];
const hours = fc.integer({ min: -50, max: 0 }).map((hour) => BigInt(startMs + hour * 3_600_000) * 1_000_000n);
const anySpan = fc
  .record({
    traceId: fc.constantFrom(...traces),
    spanId: fc.constantFrom('', ...spanIds),
    parentSpanId: fc.constantFrom('', ...spanIds, 'gone'),
    kind: fc.constantFrom(...spanKinds),
    model: fc.constantFrom('', 'm1', 'm2'),
    agentName: fc.constantFrom('', '', 'planner', 'writer'),
    status: fc.constantFrom('', 'ok', 'error'),
    errorCode: fc.constantFrom('boom', 'bang'),
    errorMessage: fc.constantFrom('', 'no reply', '\u{1f525}'.repeat(201)),
    inputTokens: fc.option(fc.nat(100)),
    costUsd: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
    source: fc.constantFrom('native', 'otlp'),
    startNs: hours,
    sessionId: fc.constantFrom('', 'session'),
  })
  .map((fields) =>
    span({
      ...fields,
      errorCode: fields.status === 'error' ? fields.errorCode : '',
      endNs: fields.startNs + 5_000_000n,
    } as Partial<SpanRecord>),
  );
const anyScore = fc
  .record({
    scoreId: fc.constantFrom('s1', 's2', 's3'),
    traceId: fc.constantFrom(...traces),
    spanId: fc.constantFrom('', ...spanIds),
    model: fc.constantFrom('', 'm9'),
    timestampMs: hours.map((ns) => Number(ns / 1_000_000n)),
    passed: fc.option(fc.boolean()),
    withdrawn: fc.constantFrom(false, false, false, true),
  })
  .map(({ withdrawn, ...fields }) => score({ ...fields, ...(withdrawn ? { withdrawn } : {}) }));
const sent = fc.record({ spans: fc.array(anySpan, { maxLength: 5 }), scores: fc.array(anyScore, { maxLength: 3 }) });
const step = fc.oneof(
  { weight: 6, arbitrary: sent },
  { weight: 4, arbitrary: fc.array(sent, { minLength: 2, maxLength: 5 }).map((together) => ({ together })) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 12 }).map((nth) => ({ failInsert: nth })) },
  { weight: 1, arbitrary: fc.constant({ loseBuilder: true as const }) },
  { weight: 1, arbitrary: fc.constantFrom(...traces).map((trace) => ({ delete: trace })) },
  { weight: 1, arbitrary: fc.constant({ replay: true as const }) },
);

/** Retries after a failure, as the pipeline's loop does. */
async function untilDone(work: () => Promise<unknown>): Promise<void> {
  await work().catch(async (error: Error) => {
    if (error.message !== 'the disk is full' && !error.message.includes('not known here')) throw error;
    await untilDone(work);
  });
}

/** A trace may be deleted before the log repeats its spans. */
const sentOnce = (spanId: string) => ({ spans: [span({ traceId: 't1', spanId, kind: 'llm', model: 'm1' })], scores: [] });
const deletedAndRepeated = [sentOnce('a'), { delete: 't1' }, { replay: true as const }, sentOnce('b')];
/** The repeated spans started later than their deleted trace. */
const earlier = { spans: [span({ traceId: 't1', spanId: 'c', startNs: BigInt(startMs - 3_600_000) * 1_000_000n })], scores: [] };
const laterPartRepeated = [earlier, sentOnce('a'), { delete: 't1' }, { replay: true as const }];
const partsRepeated = [{ together: [earlier, sentOnce('a')] }, { delete: 't1' }, { replay: true as const }];
/** The second batch was built on top of the first, whose write then failed. */
const failedBetween = [{ failInsert: 1 }, { together: [sentOnce('a'), sentOnce('b'), sentOnce('a')] }];
const lostBetween = [sentOnce('c'), { loseBuilder: true as const }, { together: [sentOnce('a'), sentOnce('a')] }];

test(
  'after any batches, deletions and replays the derived tables are the view of what is stored',
  { timeout: 300_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (steps) => {
        const { pipeline, log, tenant, failInsert, loseBuilder } = await rig(clickhouse);
        for (const one of steps) {
          if ('delete' in one) await untilDone(() => pipeline.deleteTrace(tenant, one.delete));
          else if ('failInsert' in one) failInsert(one.failInsert);
          else if ('loseBuilder' in one) loseBuilder();
          else if ('replay' in one) {
            const last = log.history.at(-1);
            if (last) log.restore(last.info.id);
          } else for (const batch of 'together' in one ? one.together : [one]) await pipeline.accept(tenant, batch, 1);
          await untilDone(() => pipeline.drain());
        }
        expect(await derivedState(clickhouse, tenant.projectId)).toEqual(
          await expectedState(clickhouse, tenant.projectId, traces),
        );
        await pipeline.close();
      }),
      {
        numRuns: runs({ usual: 10, nightly: 25 }),
        endOnFailure: true,
        examples: [[deletedAndRepeated], [laterPartRepeated], [partsRepeated], [failedBetween], [lostBetween]],
      },
    );
  },
);
