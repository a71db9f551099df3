import { describe, expect, test, vi } from 'vitest';
import { MemoryLog } from '../../../../test/support/memory-log.ts';
import type { SegmentInfo } from '../../../platform/wal/wal.ts';
import { emptySpan } from '../../records/records.fixture.ts';
import { LocalBatchBuilder } from '../batches/batch-builder.ts';
import { encodeLogRecord } from '../log/log-record.ts';
import type { SpanConsumer } from '../pipeline-port.ts';
import { spans as spansTable } from '../tables/spans.ts';
import { BuiltSpans } from './built-spans.ts';
import { SpanConsumers } from './span-consumers.ts';

const tenant = { projectId: '0197a000-0000-7000-8000-000000000001', organizationId: '0197a000-0000-7000-8000-00000000000a' };

function record(spanId: string): Uint8Array {
  const head = { quotaCount: 1, month: '2026-11-01', receivedMs: 1_000, spanCount: 1, eventCount: 1, bodyDigest: '' };
  return encodeLogRecord(tenant, { spans: [{ ...emptySpan, spanId }], scores: [] }, head, 1);
}

async function segmentOf(log: MemoryLog, spanId: string): Promise<SegmentInfo> {
  await log.append(record(spanId));
  const segment = (await log.rotate()).at(-1);
  if (!segment) throw new Error('the log has no segment');
  return segment;
}

const nothing = () => Promise.reject(new Error('nothing is looked up'));
const builder = new LocalBatchBuilder({
  mode: 'embedded',
  forTenant: () => ({ query: nothing, queryLines: nothing, insertSelect: nothing }),
  systemQuery: nothing,
});

type Run = (spanIds: string[]) => Promise<void>;

function consumer(name: string, run: Run, wanted = true): SpanConsumer {
  return {
    name,
    wanted: () => Promise.resolve(wanted),
    run: (projects) => run(projects.flatMap(({ spans }) => spans.map(({ spanId }) => spanId))),
  };
}

function rig(consumers: SpanConsumer | SpanConsumer[], log = new MemoryLog()) {
  const errors: Array<[consumer: string, error: unknown]> = [];
  const spanConsumers = new SpanConsumers({
    log,
    builder,
    consumers: [consumers].flat(),
    onError: (name, error) => errors.push([name, error]),
  });
  const add = async (spanId: string) => spanConsumers.add(await segmentOf(log, spanId), new Set([tenant.projectId]));
  return { log, errors, spanConsumers, add };
}

/** A log that is half full with three closed segments. */
function logOfFive(): MemoryLog {
  const log = new MemoryLog();
  const stats = log.stats();
  vi.spyOn(log, 'stats').mockImplementation(() => ({
    ...stats,
    backlogBytes: 100 * log.closedSegments().length,
    backlogLimitBytes: 500,
  }));
  return log;
}

const away: Run = () => Promise.reject(new Error('away'));

/** Collects the span ids that it receives. */
function collecting(name: string) {
  const given: string[] = [];
  const run: Run = (spanIds) => Promise.resolve(void given.push(...spanIds));
  return { given, consumer: consumer(name, run) };
}

describe('a span consumer', () => {
  test('gets segments in order, and a segment leaves the log after it', async () => {
    const given: string[] = [];
    const { log, spanConsumers, add } = rig(
      consumer('one', (spanIds) => {
        expect(log.closedSegments()).not.toHaveLength(0);
        given.push(...spanIds);
        return Promise.resolve();
      }),
    );
    for (const spanId of ['a', 'b', 'c']) await add(spanId);
    await spanConsumers.tried();
    expect(given).toEqual(['a', 'b', 'c']);
    expect(log.closedSegments()).toEqual([]);
    expect(spanConsumers.records).toBe(0);
  });

  test('that fails is reported and retried, and the segments stay in the log', async () => {
    let failing = true;
    const { log, errors, spanConsumers, add } = rig(consumer('one', (ids) => (failing ? away(ids) : Promise.resolve())));
    await add('a');
    await add('b');
    await spanConsumers.tried();
    expect(errors).toContainEqual(['one', new Error('away')]);
    expect(log.closedSegments()).toHaveLength(2);
    expect(spanConsumers.records).toBe(2);
    failing = false;
    await spanConsumers.tried();
    expect(log.closedSegments()).toEqual([]);
  });

  test('does not block the addition of segments', async () => {
    const given: string[] = [];
    const gate = Promise.withResolvers<void>();
    const { spanConsumers, add } = rig(
      consumer('one', async (spanIds) => {
        await gate.promise;
        given.push(...spanIds);
      }),
    );
    const ids = Array.from({ length: 12 }, (_, index) => `s${index}`);
    for (const id of ids) await add(id);
    expect(given).toEqual([]);
    gate.resolve();
    await spanConsumers.tried();
    expect(given).toEqual(ids);
  });

  test('without interest in a project causes no read of its segments', async () => {
    const log = new MemoryLog();
    const read = vi.spyOn(log, 'read');
    const { spanConsumers, add } = rig(
      consumer('one', () => Promise.reject(new Error('unwanted')), false),
      log,
    );
    await add('a');
    await spanConsumers.tried();
    expect(log.closedSegments()).toEqual([]);
    expect(read).not.toHaveBeenCalled();
  });

  test('gets spans from memory without reading the segment, and from the segment for projects that it wants since then', async () => {
    const { given, consumer: one } = collecting('one');
    const { log, spanConsumers } = rig(one);
    const read = vi.spyOn(log, 'read');
    const built = (spanId: string, projectId: string) => {
      const spans = new BuiltSpans([projectId]);
      spans.add([{ projectId, spans: [{ ...spansTable.blankHeader, spanId }], receivedMs: 1 }]);
      return spans;
    };
    spanConsumers.add(await segmentOf(log, 'a'), new Set([tenant.projectId]), built('from memory', tenant.projectId));
    await spanConsumers.tried();
    expect(given).toEqual(['from memory']);
    expect(read).not.toHaveBeenCalled();
    spanConsumers.add(await segmentOf(log, 'b'), new Set([tenant.projectId]), built('unwanted', tenant.organizationId));
    await spanConsumers.tried();
    expect(given).toEqual(['from memory', 'b']);
  });

  test('gets spans from the segment when they exceed the memory limit', async () => {
    const { given, consumer: one } = collecting('one');
    const { log, spanConsumers } = rig(one);
    const built = new BuiltSpans([tenant.projectId]);
    const { projectId } = tenant;
    const spans = Array.from({ length: 40_000 }, () => spansTable.blankHeader);
    built.add([{ projectId, spans, receivedMs: 1 }]);
    expect(built.count).toBe(40_000);
    built.add([{ projectId, spans, receivedMs: 2 }]);
    expect(built.count).toBe(0);
    spanConsumers.add(await segmentOf(log, 'a'), new Set([projectId]), built);
    await spanConsumers.tried();
    expect(given).toEqual(['a']);
  });

  test('that fails skips its oldest segments while the log is half full, and reports it', async () => {
    const { log, errors, spanConsumers, add } = rig(consumer('one', away), logOfFive());
    for (const id of ['a', 'b', 'c', 'd']) await add(id);
    while (log.closedSegments().length > 2) await spanConsumers.tried();
    await spanConsumers.tried();
    expect(log.closedSegments()).toHaveLength(2);
    expect(errors.map(([, error]) => String(error))).toContain('Error: spans are skipped by one, since the log fills up');
  });

  test('is retried once on close, and failed segments stay for the next start', async () => {
    const { log, spanConsumers, add } = rig(consumer('one', away));
    await add('a');
    await spanConsumers.close();
    expect(log.closedSegments()).toHaveLength(1);
  });
});

describe('several span consumers', () => {
  test('each get every segment, also when another one fails', async () => {
    let failing = true;
    const [first, third] = [collecting('first'), collecting('third')];
    const late: string[] = [];
    const second = consumer('second', (spanIds) => (failing ? away(spanIds) : Promise.resolve(void late.push(...spanIds))));
    const { log, errors, spanConsumers, add } = rig([first.consumer, second, third.consumer]);
    for (const spanId of ['a', 'b']) await add(spanId);
    await spanConsumers.tried();
    expect([first.given, third.given]).toEqual([
      ['a', 'b'],
      ['a', 'b'],
    ]);
    expect(new Set(errors.map(([name]) => name))).toEqual(new Set(['second']));
    expect(log.closedSegments()).toHaveLength(2);
    failing = false;
    await spanConsumers.tried();
    expect(late).toEqual(['a', 'b']);
    expect([first.given, third.given]).toEqual([
      ['a', 'b'],
      ['a', 'b'],
    ]);
    expect(log.closedSegments()).toEqual([]);
  });

  test('do not wait for a slow one', async () => {
    const gate = Promise.withResolvers<void>();
    const quick = collecting('quick');
    const { log, spanConsumers, add } = rig([consumer('slow', () => gate.promise), quick.consumer]);
    for (const spanId of ['a', 'b', 'c']) await add(spanId);
    await vi.waitFor(() => expect(quick.given).toEqual(['a', 'b', 'c']), 30_000);
    expect(log.closedSegments()).toHaveLength(3);
    gate.resolve();
    await spanConsumers.tried();
    expect(log.closedSegments()).toEqual([]);
  });

  test('lose nothing when another one skips segments', async () => {
    const whole = collecting('whole');
    const { log, errors, spanConsumers, add } = rig([consumer('broken', away), whole.consumer], logOfFive());
    for (const id of ['a', 'b', 'c', 'd']) await add(id);
    while (log.closedSegments().length > 2) await spanConsumers.tried();
    expect(whole.given).toEqual(['a', 'b', 'c', 'd']);
    expect(new Set(errors.map(([name]) => name))).toEqual(new Set(['broken']));
  });

  test('remove a segment again when its removal failed', async () => {
    const log = new MemoryLog();
    vi.spyOn(log, 'remove').mockRejectedValueOnce(new Error('disk'));
    const [first, second] = [collecting('first'), collecting('second')];
    const { errors, spanConsumers, add } = rig([first.consumer, second.consumer], log);
    await add('a');
    while (log.closedSegments().length > 0) await spanConsumers.tried();
    expect(errors).toHaveLength(1);
    expect([first.given, second.given]).toEqual([['a'], ['a']]);
  });
});
