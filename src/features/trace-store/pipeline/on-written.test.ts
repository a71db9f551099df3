import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openTestClickHouse } from '../../../../test/support/analytics.ts';
import { MemoryLog } from '../../../../test/support/memory-log.ts';
import type { ClickHouse } from '../../../platform/clickhouse/index.ts';
import { ManualClock } from '../../../platform/clock/clock.ts';
import { emptySpan } from '../../records/records.fixture.ts';
import { LocalBatchBuilder } from '../batches/batch-builder.ts';
import { requestDecoder } from '../batches/decode-request.ts';
import type { RequestDecoder } from '../batches/decode-request.ts';
import { noUsage as usage } from '../log/no-usage.fixture.ts';
import type { WrittenSpans } from '../pipeline-port.ts';
import { Pipeline } from './pipeline.ts';

const startMs = Date.UTC(2026, 10, 20, 10);
const tenant = { projectId: '0197a000-0000-7000-8000-000000000001', organizationId: '0197a000-0000-7000-8000-00000000000a' };
let clickhouse: ClickHouse;
let close: () => Promise<void>;

beforeAll(async () => {
  ({ clickhouse, close } = await openTestClickHouse());
});
afterAll(() => close());

async function open(
  onWritten: (projects: readonly WrittenSpans[]) => Promise<void>,
  log = new MemoryLog(),
  decode: RequestDecoder = requestDecoder(),
) {
  const pipeline = await Pipeline.open({
    clickhouse,
    builder: new LocalBatchBuilder(clickhouse, decode),
    onUnreadable: (_record, name, reason) => Promise.reject(new Error(`${name}: ${reason}`)),
    log,
    logId: crypto.randomUUID(),
    usage,
    clock: new ManualClock(startMs),
    onWriteError: () => undefined,
    markHours: () => Promise.resolve(),
    spanConsumers: [{ name: 'test', wanted: () => Promise.resolve(true), run: onWritten }],
    batchIntervalMs: 1,
  });
  const send = (spanId: string) =>
    pipeline.accept(
      tenant,
      { spans: [{ ...emptySpan, traceId: 't', spanId, startNs: BigInt(startMs) * 1_000_000n }], scores: [] },
      0,
    );
  return { pipeline, log, send };
}

async function readable(): Promise<string[]> {
  const reader = clickhouse.forTenant({ projectId: tenant.projectId, oldestMs: null });
  return (await reader.query<{ span_id: string }>('SELECT span_id FROM spans FINAL ORDER BY span_id')).map((row) => row.span_id);
}

test('is called once the spans can be read, and does not delay later spans', async () => {
  const gate = Promise.withResolvers<void>();
  const seen: Array<{ told: string[]; readable: string[]; receivedMs: number }> = [];
  const { pipeline, log, send } = await open(async (projects) => {
    for (const { spans, receivedMs } of projects) {
      seen.push({ told: spans.map(({ spanId }) => spanId), readable: await readable(), receivedMs });
    }
    await gate.promise;
  });
  await send('a');
  await vi.waitFor(() => expect(seen).toEqual([{ told: ['a'], readable: ['a'], receivedMs: startMs }]), 30_000);
  await send('b');
  await vi.waitFor(async () => expect(await readable()).toEqual(['a', 'b']), 30_000);
  expect(log.closedSegments()).toHaveLength(2);
  gate.resolve();
  await pipeline.drain();
  expect(seen.map(({ told }) => told)).toEqual([['a'], ['b']]);
  expect(log.closedSegments()).toEqual([]);
  await pipeline.close();
});

test('is called again for segments that a crash left in the log', async () => {
  const before = await open(() => Promise.reject(new Error('away')));
  await before.send('c');
  await before.pipeline.close();
  const told: string[] = [];
  const after = await open((projects) => {
    told.push(...projects.flatMap(({ spans }) => spans.map(({ spanId }) => spanId)));
    return Promise.resolve();
  }, before.log);
  await after.pipeline.drain();
  expect(told).toEqual(['c']);
  expect(before.log.closedSegments()).toEqual([]);
  await after.pipeline.close();
});

test('a request is decoded once for storage, and not again for span consumers', async () => {
  const decode = vi.fn(requestDecoder());
  let failing = true;
  const told: string[] = [];
  const { pipeline, log } = await open(
    (projects) => {
      if (failing) return Promise.reject(new Error('away'));
      told.push(...projects.flatMap(({ spans }) => spans.map(({ spanId }) => spanId)));
      return Promise.resolve();
    },
    new MemoryLog(),
    decode,
  );
  const nanoseconds = `${startMs}000000`;
  const span = {
    traceId: '0af7651916cd43dd8448eb211c80319c',
    spanId: 'b7ad6b7169203331',
    name: 'chat',
    startTimeUnixNano: nanoseconds,
  };
  const body = Buffer.from(
    JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [{ ...span, endTimeUnixNano: nanoseconds }] }] }] }),
  );
  await pipeline.acceptOtlp(
    tenant,
    {
      body,
      contentEncoding: '',
      encoding: 'json',
      inflatedBytes: body.length,
      nowMs: startMs,
      oldestMs: 0,
      spanCount: 1,
      maxScores: 0,
      passThresholds: new Map(),
      ownPrices: new Map(),
    },
    1,
  );
  await pipeline.drain();
  expect(log.closedSegments()).toHaveLength(1);
  failing = false;
  await pipeline.drain();
  expect(told).toEqual([span.spanId]);
  expect(decode).toHaveBeenCalledTimes(1);
  await pipeline.close();
});
