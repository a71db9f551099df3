import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { bytesOf, faultyFileSystem, OpenedLogs, textsIn, textsOf } from './opened-logs.fixture.ts';
import { recordHeaderBytes, segmentFileName, segmentHeaderBytes } from './segment-format.ts';
import { WalFailedError, WalFullError } from './wal.ts';

const logs = new OpenedLogs();
afterEach(() => logs.dispose());

const numbered = (count: number, from = 0): string[] => Array.from({ length: count }, (_, index) => `record ${from + index}`);

test('returns every record in append order', async () => {
  const log = await logs.open(logs.directory());
  const records = [...numbered(500), '', 'x'.repeat(300_000), '\u0000\u{10ffff}'];
  await Promise.all(records.map((record) => log.append(bytesOf(record))));
  expect(await textsOf(log)).toEqual(records);
});

test('a record is copied: its pooled buffer may change after the acknowledgement', async () => {
  const log = await logs.open(logs.directory());
  const pooled = Buffer.from('--the record--');
  await log.append(pooled.subarray(2, 12));
  pooled.fill(0);
  expect(await textsOf(log)).toEqual(['the record']);
});

test('many appends share few commits', async () => {
  const log = await logs.open(logs.directory());
  await Promise.all(numbered(5_000).map((record) => log.append(bytesOf(record))));
  expect(log.stats().commits).toBe(1);
  const first = log.append(bytesOf('first'));
  await Promise.resolve();
  await Promise.resolve();
  // The first record is being committed: these form the next commit.
  await Promise.all([first, ...numbered(5_000).map((record) => log.append(bytesOf(record)))]);
  expect(log.stats().commits).toBe(3);
  expect(log.stats().backlogRecords).toBe(10_001);
});

test('appends that fill more than the arena take several commits and keep their order', async () => {
  const log = await logs.open(logs.directory());
  const records = Array.from({ length: 9 }, (_, index) => String(index).repeat(1024 * 1024));
  await Promise.all(records.map((record) => log.append(bytesOf(record))));
  expect(log.stats().commits).toBe(3);
  expect(await textsOf(log)).toEqual(records);
});

test('rotation closes a segment only if it has records', async () => {
  const log = await logs.open(logs.directory());
  expect(await log.rotate()).toEqual([]);
  await log.append(bytesOf('a'));
  const [first] = await log.rotate();
  expect(first).toMatchObject({ id: 1, records: 1, bytes: segmentHeaderBytes + recordHeaderBytes + 1 });
  expect(await log.rotate()).toEqual([first]);
  await log.append(bytesOf('b'));
  expect((await log.rotate()).map(({ id }) => id)).toEqual([1, 2]);
  expect(log.closedSegments().map(({ id }) => id)).toEqual([1, 2]);
});

test('concurrent rotations and appends never offer a segment that is still written', async () => {
  const log = await logs.open(logs.directory(), { fileSystem: faultyFileSystem('slow') });
  const appends: Promise<void>[] = [];
  const seen: string[] = [];
  for (let round = 0; round < 10; round++) {
    appends.push(...numbered(3, round * 3).map((record) => log.append(bytesOf(record))));
    const offered = (await Promise.all([log.rotate(), log.rotate()])).flat();
    for (const segment of new Set(offered)) {
      const texts = await textsIn(log, [segment]);
      expect(texts).toHaveLength(segment.records);
      seen.push(...texts);
      await log.remove(segment);
    }
  }
  await Promise.all(appends);
  expect([...seen, ...(await textsOf(log))]).toEqual(numbered(30));
});

test('repeated removals delete the file once', async () => {
  const directory = logs.directory();
  const log = await logs.open(directory);
  await log.append(bytesOf('a'));
  const [segment] = await log.rotate();
  if (!segment) throw new Error('no segment was closed');
  await Promise.all([log.remove(segment), log.remove(segment)]);
  await log.remove(segment);
  expect(log.closedSegments()).toEqual([]);
  expect(log.stats()).toMatchObject({ backlogBytes: 0, backlogRecords: 0, failure: null });
  expect(readdirSync(directory).filter((file) => file.endsWith('.wal'))).toEqual([segmentFileName(2)]);
});

test('after a restart come the closed segments, then the formerly active one, then new ones', async () => {
  const directory = logs.directory();
  const first = await logs.open(directory);
  await first.append(bytesOf('a'));
  await first.rotate();
  await first.append(bytesOf('b'));
  const before = first.stats();
  await first.close();
  const second = await logs.open(directory);
  expect(second.id).toBe(first.id);
  expect(second.closedSegments().map(({ id }) => id)).toEqual([1, 2]);
  expect(second.stats().backlogBytes).toBe(before.backlogBytes);
  expect(second.stats().backlogRecords).toBe(2);
  await second.append(bytesOf('c'));
  expect(await textsOf(second)).toEqual(['a', 'b', 'c']);
});

test('ids increase over restarts, also when all segments were removed or nothing was written', async () => {
  const directory = logs.directory();
  const ids: number[] = [];
  for (let start = 0; start < 5; start++) {
    const log = await logs.open(directory);
    if (start !== 2) {
      await log.append(bytesOf('a'));
      for (const segment of await log.rotate()) {
        ids.push(segment.id);
        await log.remove(segment);
      }
    }
    await log.close();
  }
  expect(ids).toHaveLength(4);
  expect(ids).toEqual([...new Set(ids)].toSorted((left, right) => left - right));
  expect(readdirSync(directory).filter((file) => file.endsWith('.wal'))).toHaveLength(1);
});

test('the id is a uuid, and a file that holds none is not replaced', async () => {
  const directory = logs.directory();
  const log = await logs.open(directory);
  expect(log.id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  await log.close();
  writeFileSync(join(directory, 'log-id'), '');
  await expect(logs.open(directory)).rejects.toThrow('does not hold the id of a log');
});

test('segments stay within their limit, and a larger record has its own segment', async () => {
  const directory = logs.directory();
  const log = await logs.open(directory, { maxSegmentBytes: 10_000 });
  const large = 'L'.repeat(5_000_000);
  const records = [...numbered(1_000), large, ...numbered(10)];
  await Promise.all(records.map((record) => log.append(bytesOf(record))));
  const segments = await log.rotate();
  expect(await textsIn(log, segments)).toEqual(records);
  for (const segment of segments) {
    expect(statSync(segment.path).size).toBe(segment.bytes);
    if (segment.bytes > 10_000) expect(await textsIn(log, [segment])).toEqual([large]);
  }
  expect(segments.length).toBeGreaterThan(4);
});

test('a record over 320 MiB is refused, and the log stays usable', async () => {
  const log = await logs.open(logs.directory());
  await expect(log.append(new Uint8Array(320 * 1024 * 1024 + 1))).rejects.toThrow(RangeError);
  await log.append(bytesOf('a'));
  expect(await textsOf(log)).toEqual(['a']);
});

test('refuses at the backlog limit, queued records included, and takes more after a removal', async () => {
  const framed = recordHeaderBytes + 100;
  const log = await logs.open(logs.directory(), { backlogLimitBytes: 10 * framed + segmentHeaderBytes });
  const record = new Uint8Array(100);
  const appended = await Promise.allSettled(Array.from({ length: 12 }, () => log.append(record)));
  expect(appended.map(({ status }) => status)).toEqual([...Array(10).fill('fulfilled'), ...Array(2).fill('rejected')]);
  await expect(log.append(record)).rejects.toBeInstanceOf(WalFullError);
  for (const segment of await log.rotate()) {
    await expect(log.append(record)).rejects.toBeInstanceOf(WalFullError);
    await log.remove(segment);
  }
  await log.append(record);
  expect(log.stats()).toMatchObject({ failure: null, backlogBytes: framed + segmentHeaderBytes, backlogRecords: 1 });
});

test('the backlog limit counts records of an earlier process', async () => {
  const directory = logs.directory();
  const first = await logs.open(directory);
  await first.append(new Uint8Array(1_000));
  await first.close();
  const second = await logs.open(directory, { backlogLimitBytes: 1_500 });
  await expect(second.append(new Uint8Array(1_000))).rejects.toBeInstanceOf(WalFullError);
});

test('refuses records beyond the limits of the queue in bytes and records', async () => {
  const byBytes = await logs.open(logs.directory(), { maxQueuedBytes: 1_000 });
  const byRecords = await logs.open(logs.directory(), { maxQueuedRecords: 2 });
  for (const log of [byBytes, byRecords]) {
    const appended = await Promise.allSettled(Array.from({ length: 3 }, () => log.append(new Uint8Array(400))));
    expect(appended.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
    expect(appended[2]).toMatchObject({ reason: expect.any(WalFullError) as unknown });
    await log.append(new Uint8Array(400));
  }
});

test('closing writes queued records, refuses later ones, and can be repeated', async () => {
  const directory = logs.directory();
  const log = await logs.open(directory, { maxSegmentBytes: 1_000 });
  const appends = numbered(200).map((record) => log.append(bytesOf(record)));
  const closing = log.close();
  await expect(log.append(bytesOf('late'))).rejects.toBeInstanceOf(WalFailedError);
  await Promise.all([...appends, closing, log.close()]);
  expect(await textsOf(await logs.open(directory))).toEqual(numbered(200));
});

test('a removal requested before closing is done and a later one refused, without marking the log as failed', async () => {
  const log = await logs.open(logs.directory());
  for (const record of ['a', 'b']) {
    await log.append(bytesOf(record));
    await log.rotate();
  }
  const [first, second] = log.closedSegments();
  if (!first || !second) throw new Error('no segments were closed');
  const removing = log.remove(first);
  const closing = log.close();
  await removing;
  await expect(log.remove(second)).rejects.toBeInstanceOf(WalFailedError);
  await closing;
  await expect(log.remove(second)).rejects.toBeInstanceOf(WalFailedError);
  expect(log.closedSegments()).toEqual([second]);
  expect(await log.rotate()).toEqual([second]);
  expect(log.stats().failure).toBeNull();
});

test('writes that the file system cuts short are completed', async () => {
  const log = await logs.open(logs.directory(), { fileSystem: faultyFileSystem('short') });
  await Promise.all(numbered(200).map((record) => log.append(bytesOf(record))));
  expect(await textsOf(log)).toEqual(numbered(200));
});

test('other files in the directory are left alone', async () => {
  const directory = logs.directory();
  mkdirSync(join(directory, 'notes'));
  writeFileSync(join(directory, '12.wal'), 'mine');
  const log = await logs.open(directory);
  await log.append(bytesOf('a'));
  expect(await textsOf(log)).toEqual(['a']);
  expect(readdirSync(directory)).toEqual(expect.arrayContaining(['12.wal', 'notes']));
});

test('an unknown failpoint is refused', async () => {
  await expect(logs.open(logs.directory(), { failpoint: 'before-lunch:1' })).rejects.toThrow('must be one of');
  await expect(logs.open(logs.directory(), { failpoint: 'before-write:0' })).rejects.toThrow('must be one of');
});
