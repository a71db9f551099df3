import { readdirSync } from 'node:fs';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { bytesOf, faultyFileSystem, OpenedLogs, textsIn, textsOf } from './opened-logs.fixture.ts';
import { putRecord } from './segment-format.ts';
import { WalThread } from './wal-thread.ts';
import { WalFailedError } from './wal.ts';
import type { OpenedWal } from './wal.ts';

const logs = new OpenedLogs();
afterEach(() => logs.dispose());

/** Appends records in sequence until one is rejected; returns the acknowledged ones. */
async function appendUntilRefused(log: OpenedWal, error: unknown): Promise<string[]> {
  const acknowledged: string[] = [];
  for (let number = 0; number < 20; number++) {
    const record = `record ${number} ${'x'.repeat(200)}`;
    try {
      await log.append(bytesOf(record));
    } catch (refusal) {
      expect(refusal).toBeInstanceOf(error);
      return acknowledged;
    }
    acknowledged.push(record);
  }
  throw new Error('no append was refused');
}

// Call 1 of write and fsync belongs to opening the log.
describe.each([
  'write:ENOSPC:4',
  'write:EIO:5',
  'fdatasync:EIO:3',
  'fdatasync:ENOSPC:1',
  'open:ENOSPC:3',
  'fsync:EIO:3',
  'fsync:EIO:4',
])('after %s', (fault) => {
  const options = { fileSystem: faultyFileSystem(fault), maxSegmentBytes: 900 };
  const code = fault.split(':')[1];

  test('no further append is acknowledged, and stats report the failure', async () => {
    const log = await logs.open(logs.directory(), options);
    await appendUntilRefused(log, WalFailedError);
    expect(log.stats().failure).toMatchObject({ code });
    const later = await Promise.allSettled(['a', 'b', 'c'].map((record) => log.append(bytesOf(record))));
    expect(later.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(log.stats().failure).toMatchObject({ code });
  });

  test('all queued appends are rejected', async () => {
    const log = await logs.open(logs.directory(), options);
    const appended: Promise<PromiseSettledResult<void>[]>[] = [];
    for (let round = 0; round < 30; round++) {
      appended.push(Promise.allSettled([log.append(new Uint8Array(100)), log.append(new Uint8Array(100))]));
      await Promise.resolve();
    }
    await log.rotate();
    const outcomes = (await Promise.all(appended)).flat();
    expect(outcomes.at(-1)?.status).toBe('rejected');
    const acknowledged = outcomes.filter(({ status }) => status === 'fulfilled').length;
    expect(log.stats().backlogRecords).toBe(acknowledged);
  });

  test('a reopened log has all acknowledged records and accepts more', async () => {
    const directory = logs.directory();
    const log = await logs.open(directory, options);
    const acknowledged = await appendUntilRefused(log, WalFailedError);
    await log.close();
    const reopened = await logs.open(directory);
    const found = await textsOf(reopened);
    expect(found.slice(0, acknowledged.length)).toEqual(acknowledged);
    // The rejected record may have reached the disk completely; no other may.
    expect(found.length).toBeLessThanOrEqual(acknowledged.length + 1);
    await reopened.append(bytesOf('more'));
    expect(await textsOf(reopened)).toEqual([...found, 'more']);
    expect(reopened.stats()).toMatchObject({ failure: null, quarantined: 0 });
  });

  test('the consumer gets exactly the acknowledged records, and ids do not repeat after it removed all', async () => {
    const directory = logs.directory();
    const log = await logs.open(directory, options);
    const acknowledged = await appendUntilRefused(log, WalFailedError);
    const segments = await log.rotate();
    expect(await textsIn(log, segments)).toEqual(acknowledged);
    // A removal fails while the directory cannot be synced: repeat it until it succeeds.
    for (const segment of segments) await log.remove(segment).catch(() => undefined);
    const highest = Math.max(0, ...segments.map(({ id }) => id));
    if (!fault.startsWith('fsync') && !fault.startsWith('open')) expect(log.stats().backlogRecords).toBe(0);
    await log.close();
    const reopened = await logs.open(directory);
    await reopened.append(bytesOf('next'));
    const next = (await reopened.rotate()).at(-1);
    expect(next?.id).toBeGreaterThan(highest);
  });
});

// Call 1 of write and fsync belongs to opening the log; the first attempt to continue may fail as well.
test.each([
  'write:ENOSPC:4:once',
  'fdatasync:ENOSPC:3:once',
  'open:ENOSPC:3:once',
  'fdatasync:EDQUOT:2:once',
  'open:EMFILE:3:once',
  'open:ENFILE:3:once',
  'write:ENOMEM:4:once',
  'write:EAGAIN:4:once',
])(
  'after a full disk or want of a descriptor or memory (%s) the log continues by itself, without the rejected records',
  async (fault) => {
    const directory = logs.directory();
    const log = await logs.open(directory, { fileSystem: faultyFileSystem(fault), maxSegmentBytes: 900, retryMs: 5 });
    const acknowledged = await appendUntilRefused(log, WalFailedError);
    await vi.waitFor(() => expect(log.stats().failure).toBeNull(), 30_000);
    await log.append(bytesOf('more'));
    expect(await textsOf(log)).toEqual([...acknowledged, 'more']);
    await log.append(bytesOf('and more'));
    await log.close();
    const reopened = await logs.open(directory);
    expect(await textsOf(reopened)).toEqual([...acknowledged, 'more', 'and more']);
    expect(reopened.stats().quarantined).toBe(0);
    for (const segment of await reopened.rotate()) await reopened.remove(segment);
    expect(reopened.stats().backlogRecords).toBe(0);
  },
);

test('a log that was consumed completely quarantines nothing when it continues after a full disk', async () => {
  const directory = logs.directory();
  const log = await logs.open(directory, { fileSystem: faultyFileSystem('write:ENOSPC:4:once'), retryMs: 100 });
  await appendUntilRefused(log, WalFailedError);
  for (const segment of await log.rotate()) await log.remove(segment);
  await vi.waitFor(() => expect(log.stats().failure).toBeNull(), 10_000);
  await log.append(bytesOf('more'));
  await log.close();
  const reopened = await logs.open(directory);
  expect(await textsOf(reopened)).toEqual(['more']);
  expect(reopened.stats().quarantined).toBe(0);
});

test('a full disk is retried until it has space; other errors are not retried', async () => {
  const full = await logs.open(logs.directory(), { fileSystem: faultyFileSystem('write:ENOSPC:2'), retryMs: 5 });
  await expect(full.append(bytesOf('a'))).rejects.toBeInstanceOf(WalFailedError);
  const broken = await logs.open(logs.directory(), { fileSystem: faultyFileSystem('write:EIO:2:once'), retryMs: 5 });
  await expect(broken.append(bytesOf('a'))).rejects.toBeInstanceOf(WalFailedError);
  const recovering = await logs.open(logs.directory(), { fileSystem: faultyFileSystem('write:ENOSPC:2:once'), retryMs: 5 });
  await expect(recovering.append(bytesOf('a'))).rejects.toBeInstanceOf(WalFailedError);
  await vi.waitFor(() => expect(recovering.stats().failure).toBeNull(), 30_000);
  for (const log of [full, broken]) await expect(log.append(bytesOf('b'))).rejects.toBeInstanceOf(WalFailedError);
});

test('a file system that writes 0 bytes fails the append instead of blocking it', async () => {
  const opening = logs.open(logs.directory(), { fileSystem: faultyFileSystem('nothing') });
  await expect(opening).rejects.toBeInstanceOf(WalFailedError);
});

// The first segment's file, its header, the header's sync, and the directory's.
test.each(['open:EACCES:1', 'write:ENOSPC:1', 'fsync:EIO:1', 'fsync:EIO:2'])(
  'a log whose first segment cannot be made (%s) does not open, and the next try finds nothing in its way',
  async (fault) => {
    const directory = logs.directory();
    await expect(logs.open(directory, { fileSystem: faultyFileSystem(fault) })).rejects.toBeInstanceOf(WalFailedError);
    const log = await logs.open(directory);
    await log.append(bytesOf('a'));
    expect(await textsOf(log)).toEqual(['a']);
    expect(log.stats().quarantined).toBe(0);
  },
);

test('a failed sync is not retried, even though it would succeed', async () => {
  const log = await logs.open(logs.directory(), { fileSystem: faultyFileSystem('fdatasync:EIO:2:once') });
  await log.append(bytesOf('a'));
  for (const record of ['b', 'c', 'd']) await expect(log.append(bytesOf(record))).rejects.toBeInstanceOf(WalFailedError);
  expect(await textsOf(log)).toEqual(['a']);
});

test('the thread rejects every commit after a failure', async () => {
  const directory = logs.directory();
  const arena = new SharedArrayBuffer(4_096);
  const fileSystem = faultyFileSystem('fdatasync:EIO:1:once');
  const thread = new WalThread({ directory, fileSystem, failpoint: null, arena });
  await thread.open(1);
  const bytes = putRecord(Buffer.from(arena), 0, bytesOf('a'));
  await expect(thread.commit(bytes, null)).rejects.toBeInstanceOf(WalFailedError);
  await expect(thread.commit(bytes, null)).rejects.toBeInstanceOf(WalFailedError);
  await expect(thread.open(2)).rejects.toBeInstanceOf(WalFailedError);
  await thread.close();
});

// Syncs 1 to 4 belong to the creation of segments.
test.each(['unlink:EIO:1:once', 'fsync:EIO:5:once'])(
  'a failed removal (%s) rejects, leaves the log healthy, and can be repeated',
  async (fault) => {
    const log = await logs.open(logs.directory(), { fileSystem: faultyFileSystem(fault) });
    await log.append(bytesOf('a'));
    const [segment] = await log.rotate();
    if (!segment) throw new Error('no segment was closed');
    await expect(log.remove(segment)).rejects.toBeInstanceOf(WalFailedError);
    expect(log.closedSegments()).toEqual([segment]);
    await log.append(bytesOf('b'));
    await log.remove(segment);
    expect(log.stats().failure).toBeNull();
    expect(await textsOf(log)).toEqual(['b']);
  },
);

test('a thread that cannot start makes opening fail', async () => {
  const opening = logs.open(logs.directory(), { fileSystem: new URL('./missing.fixture.ts', import.meta.url).href });
  await expect(opening).rejects.toThrow();
});

test('a failed log can be closed, and leaves only its files', async () => {
  const directory = logs.directory();
  const log = await logs.open(directory, { fileSystem: faultyFileSystem('fdatasync:EIO:1') });
  await expect(log.append(bytesOf('a'))).rejects.toBeInstanceOf(WalFailedError);
  await log.close();
  expect(readdirSync(directory).toSorted()).toEqual(['0000000000000001.wal', 'log-id']);
});
