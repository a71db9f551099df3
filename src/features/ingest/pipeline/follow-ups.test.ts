import { describe, expect, test, vi } from 'vitest';
import { MemoryLog } from '../../../../test/support/memory-log.ts';
import type { SegmentInfo } from '../../../platform/wal/wal.ts';
import type { WrittenSpans } from '../pipeline-contract.ts';
import { FollowUps } from './follow-ups.ts';
import { LocalBatchBuilder } from './batch-builder.ts';
import { encodeLogRecord } from './log-record.ts';
import { emptySpan } from '../records.fixture.ts';

const tenant = { projectId: '0197a000-0000-7000-8000-000000000001', organizationId: '0197a000-0000-7000-8000-00000000000a' };

function record(spanId: string): Uint8Array {
  const head = { countedEvents: 1, month: '2026-11-01', receivedMs: 1_000, spanCount: 1, events: 1, bodyDigest: '' };
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
  forTenant: () => ({ query: nothing, insertSelect: nothing }),
  systemQuery: nothing,
});

function rig(run: (spanIds: string[]) => Promise<void>, log = new MemoryLog(), followed = true) {
  const errors: unknown[] = [];
  const followUps = new FollowUps({
    log,
    builder,
    wanted: () => Promise.resolve(followed),
    run: (projects: readonly WrittenSpans[]) => run(projects.flatMap(({ spans }) => spans.map(({ spanId }) => spanId))),
    onError: (error) => errors.push(error),
  });
  const add = async (spanId: string) => followUps.add(await segmentOf(log, spanId), new Set([tenant.projectId]));
  return { log, errors, followUps, add };
}

describe('what follows a batch', () => {
  test('is done in order, and only then the log lets go of it', async () => {
    const done: string[] = [];
    const { log, followUps, add } = rig((spanIds) => {
      expect(log.closedSegments()).not.toHaveLength(0);
      done.push(...spanIds);
      return Promise.resolve();
    });
    for (const spanId of ['a', 'b', 'c']) await add(spanId);
    await followUps.tried();
    expect(done).toEqual(['a', 'b', 'c']);
    expect(log.closedSegments()).toEqual([]);
    expect(followUps.records).toBe(0);
  });

  test('that fails is told, stays in the log and is tried again', async () => {
    let failing = true;
    const { log, errors, followUps, add } = rig(() => (failing ? Promise.reject(new Error('away')) : Promise.resolve()));
    await add('a');
    await add('b');
    await followUps.tried();
    expect(errors).toContainEqual(new Error('away'));
    expect(log.closedSegments()).toHaveLength(2);
    expect(followUps.records).toBe(2);
    failing = false;
    await followUps.tried();
    expect(log.closedSegments()).toEqual([]);
  });

  test('does not hold up whoever adds', async () => {
    const done: string[] = [];
    const gate = Promise.withResolvers<void>();
    const { followUps, add } = rig(async (spanIds) => {
      await gate.promise;
      done.push(...spanIds);
    });
    const ids = Array.from({ length: 12 }, (_, index) => `s${index}`);
    for (const id of ids) await add(id);
    expect(done).toEqual([]);
    gate.resolve();
    await followUps.tried();
    expect(done).toEqual(ids);
  });

  test('is not even read where nobody follows', async () => {
    const log = new MemoryLog();
    const read = vi.spyOn(log, 'read');
    const { followUps, add } = rig(() => Promise.reject(new Error('nobody follows')), log, false);
    await add('a');
    await followUps.tried();
    expect(log.closedSegments()).toEqual([]);
    expect(read).not.toHaveBeenCalled();
  });

  test('is given up, and told, when the log fills up with it', async () => {
    const log = new MemoryLog();
    const stats = log.stats();
    vi.spyOn(log, 'stats').mockImplementation(() => ({
      ...stats,
      backlogBytes: 100 * log.closedSegments().length,
      backlogLimitBytes: 500,
    }));
    const { errors, followUps, add } = rig(() => Promise.reject(new Error('away')), log);
    for (const id of ['a', 'b', 'c', 'd']) await add(id);
    while (log.closedSegments().length > 2) await followUps.tried();
    await followUps.tried();
    expect(log.closedSegments()).toHaveLength(2);
    expect(errors.map(String)).toContain('Error: spans are not evaluated, since the log fills up');
  });

  test('is tried a last time at the end, and what fails stays for the next start', async () => {
    const { log, followUps, add } = rig(() => Promise.reject(new Error('away')));
    await add('a');
    await followUps.close();
    expect(log.closedSegments()).toHaveLength(1);
  });
});
