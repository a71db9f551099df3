import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestClickHouse } from '../../../../test/support/analytics.ts';
import { runs } from '../../../../test/support/runs.ts';
import type { ClickHouse } from '../../../platform/clickhouse/index.ts';
import { ownPricesOf } from '../../pricing/index.ts';
import type { OwnPrice } from '../../pricing/index.ts';
import type { SpanRecord } from '../../records/index.ts';
import { derivedState, expectedState, rig, span, startMs } from '../pipeline/pipeline-rig.fixture.ts';
import { hourMs } from '../../../contract/durations.ts';

let clickhouse: ClickHouse;
let close: () => Promise<void>;

beforeAll(async () => {
  ({ clickhouse, close } = await openTestClickHouse());
});
afterAll(() => close());

const traces = ['t1', 't2', 't3'];
const spanIds = ['a', 'b', 'c', 'd'];
const range = { fromMs: startMs - 40 * hourMs, beforeMs: startMs - 5 * hourMs };
const tokens = fc.option(fc.nat(1_000_000), { nil: null });
/** What a client, or an earlier price list, gave. */
const cost = fc.oneof(
  fc.constant({ costUsd: null, costStatus: 'unpriced' as const }),
  fc.record({
    costUsd: fc.double({ min: 0, max: 1, noNaN: true }),
    costStatus: fc.constantFrom('priced' as const, 'provided' as const),
  }),
);
const anySpan = fc
  .record({
    traceId: fc.constantFrom(...traces),
    spanId: fc.constantFrom('', ...spanIds),
    parentSpanId: fc.constantFrom('', ...spanIds),
    kind: fc.constantFrom('llm', 'llm', 'embedding', 'tool', 'agent'),
    model: fc.constantFrom('', 'ours', 'theirs', 'gpt-4o'),
    requestModel: fc.constantFrom('', 'ours', 'theirs', 'gpt-4o'),
    status: fc.constantFrom('', 'error'),
    inputTokens: tokens,
    outputTokens: tokens,
    cachedTokens: tokens,
    cacheWriteTokens: tokens,
    reasoningTokens: tokens,
    startMs: fc.integer({ min: -50, max: 0 }).map((hour) => startMs + hour * hourMs),
    cost,
  })
  .map(({ cost: given, startMs: atMs, ...fields }) =>
    span({
      ...fields,
      ...given,
      startNs: BigInt(atMs) * 1_000_000n,
      endNs: BigInt(atMs + 5) * 1_000_000n,
    } as Partial<SpanRecord>),
  );
const rate = fc.integer({ min: 0, max: 10_000 }).map((cents) => cents / 100);
const anyPrices = fc.uniqueArray(
  fc.record({
    model: fc.constantFrom('ours', 'theirs', 'gpt-4o'),
    inputPerMillion: rate,
    outputPerMillion: rate,
    cachedInputPerMillion: fc.option(rate),
    cacheWritePerMillion: fc.option(rate),
    fromMs: fc.option(fc.integer({ min: -50, max: 0 }).map((hour) => startMs + hour * hourMs)),
  }),
  { selector: ({ model }) => model },
);
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ send: fc.array(anySpan, { minLength: 1, maxLength: 6 }) }) },
  { weight: 3, arbitrary: fc.record({ prices: anyPrices, models: fc.option(fc.constantFrom(['ours'], ['theirs', 'gpt-4o'])) }) },
  { weight: 1, arbitrary: fc.constantFrom(...traces).map((trace) => ({ delete: trace })) },
  { weight: 1, arbitrary: fc.constant({ replay: true as const }) },
  { weight: 2, arbitrary: fc.integer({ min: 1, max: 8 }).map((nth) => ({ failInsert: nth })) },
);

/** Retries after a failure, as the pipeline's loop and the job do. */
async function untilDone<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Error && error.message === 'the disk is full')) throw error;
    return untilDone(work);
  }
}

/** docs/semantics.md, "Prices" and "Prices of a project", computed apart from the service. gpt-4o: 2.5 in, 1.25 cached, 10 out. */
function expectedCost(of: SpanRecord, prices: readonly OwnPrice[]): { costUsd: number | null; costStatus: string } {
  const atMs = Number(of.startNs / 1_000_000n);
  const own = [of.model, of.requestModel]
    .map((model) => prices.find((price) => model !== '' && price.model === model && (price.fromMs ?? 0) <= atMs))
    .find((price) => price !== undefined);
  const table = of.model === 'gpt-4o' || of.requestModel === 'gpt-4o' ? { in: 2.5, cached: 1.25, write: 2.5, out: 10 } : null;
  const rates = own
    ? {
        in: own.inputPerMillion,
        cached: own.cachedInputPerMillion ?? own.inputPerMillion,
        write: own.cacheWritePerMillion ?? own.inputPerMillion,
        out: own.outputPerMillion,
      }
    : table;
  const counts = [of.inputTokens, of.outputTokens, of.cachedTokens, of.cacheWriteTokens, of.reasoningTokens];
  const counted = counts.some((count) => count !== null);
  if (rates === null || (!counted && of.status !== 'error')) return { costUsd: null, costStatus: 'unpriced' };
  const input = of.inputTokens ?? 0;
  const cached = Math.min(of.cachedTokens ?? 0, input);
  const write = Math.min(of.cacheWriteTokens ?? 0, input - cached);
  const total =
    (input - cached - write) * rates.in + cached * rates.cached + write * rates.write + (of.outputTokens ?? 0) * rates.out;
  return { costUsd: total / 1e6, costStatus: 'priced' };
}

const isRepriced = (of: SpanRecord, models: readonly string[] | null): boolean =>
  of.spanId !== '' &&
  of.costStatus !== 'provided' &&
  (of.model !== '' || of.requestModel !== '') &&
  (models === null || models.includes(of.model) || models.includes(of.requestModel)) &&
  Number(of.startNs / 1_000_000n) >= range.fromMs &&
  Number(of.startNs / 1_000_000n) < range.beforeMs;

async function storedCosts(projectId: string): Promise<Map<string, { costUsd: number | null; costStatus: string }>> {
  const rows = await clickhouse
    .forTenant({ projectId, oldestMs: null })
    .query<{ id: string; costUsd: number | null; costStatus: string }>(
      "SELECT concat(trace_id, '/', span_id) AS id, cost_usd AS costUsd, cost_status AS costStatus FROM spans FINAL",
    );
  return new Map(rows.map(({ id, ...stored }) => [id, stored]));
}

const idOf = ({ traceId, spanId }: SpanRecord) => `${traceId}/${spanId}`;

test(
  'after any sends, failures, replays and deletions a repricing gives every span its cost, and the derived tables follow',
  { timeout: 300_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 8 }), anyPrices, async (steps, last) => {
        const { pipeline, log, tenant, failInsert, reprice } = await rig(clickhouse);
        /** The latest version of each span that was sent, with its current cost. */
        const expected = new Map<string, SpanRecord>();
        for (const one of [...steps, { prices: last, models: null }]) {
          if ('send' in one) {
            await pipeline.accept(tenant, { spans: one.send, scores: [] }, 1);
            await untilDone(() => pipeline.drain());
            for (const sent of one.send) expected.set(idOf(sent), sent);
          } else if ('delete' in one) {
            await untilDone(() => pipeline.deleteTrace(tenant, one.delete));
            for (const [id, { traceId }] of expected) if (traceId === one.delete) expected.delete(id);
          } else if ('replay' in one) {
            const newest = log.history.at(-1);
            if (newest) log.restore(newest.info.id);
            await untilDone(() => pipeline.drain());
          } else if ('failInsert' in one) failInsert(one.failInsert);
          else {
            const repriced = [...expected.values()].filter((of) => isRepriced(of, one.models));
            const { spans } = await untilDone(() =>
              reprice({ ...range, models: one.models, ownPrices: ownPricesOf(one.prices) }),
            );
            expect(spans).toBe(repriced.length);
            for (const of of repriced) {
              const { costUsd, costStatus } = expectedCost(of, one.prices);
              expected.set(idOf(of), { ...of, costUsd, costStatus } as SpanRecord);
            }
          }
        }
        const stored = await storedCosts(tenant.projectId);
        expect([...stored.keys()].toSorted()).toEqual([...expected.keys()].toSorted());
        for (const [id, of] of expected) {
          const cost = stored.get(id);
          expect([id, cost?.costStatus]).toEqual([id, of.costStatus]);
          if (of.costUsd === null) expect(cost?.costUsd).toBeNull();
          else expect(Math.abs((cost?.costUsd ?? Number.NaN) - of.costUsd)).toBeLessThanOrEqual(of.costUsd * 1e-12);
        }
        expect(await derivedState(clickhouse, tenant.projectId)).toEqual(
          await expectedState(clickhouse, tenant.projectId, traces),
        );
        await pipeline.close();
      }),
      { numRuns: runs({ usual: 5, nightly: 40 }), endOnFailure: true },
    );
  },
);
