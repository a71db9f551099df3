import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ClickHouse } from '../../platform/clickhouse/index.ts';
import type { Postgres } from '../../platform/postgres/index.ts';
import { openWal } from '../../platform/wal/index.ts';
import type { OpenedWal } from '../../platform/wal/index.ts';
import { askService } from './ask-service.ts';
import { makeBackup } from './make-backup.ts';
import { readWholeBackup } from './manifest.ts';
import { restoreBackup } from './restore-backup.ts';
import { serveBackups } from './serve-backups.ts';
import type { BackupService } from './serve-backups.ts';

// Backups with stores on servers; embedded stores are covered by test/faults/backup.

let root: string;
let wal: OpenedWal;
let service: BackupService;
/** Ends the operation `wait`. */
let waited: PromiseWithResolvers<string>;
/** Backups that the service has recorded. */
let copied: number;

beforeEach(async () => {
  copied = 0;
  waited = Promise.withResolvers();
  root = await mkdtemp(join(tmpdir(), 'spanwise-backup-'));
  wal = await openWal({ directory: join(root, 'wal') });
});
afterEach(async () => {
  await service.close();
  await wal.close();
  await rm(root, { recursive: true, force: true });
});

async function serve(postgres: Postgres['mode'], clickhouse: ClickHouse['mode']): Promise<void> {
  service = await serveBackups({
    postgres: { mode: postgres } as Postgres,
    clickhouse: { mode: clickhouse } as ClickHouse,
    wal,
    directory: { wal: join(root, 'wal'), clickhouse: join(root, 'clickhouse') },
    socket: join(root, 'control.sock'),
    postgresDirectory: join(root, 'postgres'),
    secretKeyFile: null,
    whileStill: (work) => work(),
    operate: (operation, input) => {
      if (operation === 'wait') return waited.promise;
      return operation === 'greet'
        ? Promise.resolve({ greeted: input })
        : Promise.reject(new Error('there is no such operation'));
    },
    onCopied: () => {
      copied += 1;
      return Promise.resolve();
    },
    onError: (error) => {
      throw error;
    },
  });
}

const plan = () => ({
  socket: join(root, 'control.sock'),
  dataDirectory: root,
  into: join(root, 'backup'),
  version: '1.0.0',
  nowMs: Date.UTC(2026, 10, 21),
});

const noStores = () => {
  throw new Error('a store was opened');
};

test('with stores on servers the log is backed up, and restored under a new id', async () => {
  await serve('server', 'http');
  const records = ['one', 'two'].map((text) => Buffer.from(text));
  for (const record of records) await wal.append(record);
  const manifest = await makeBackup(plan());
  expect(manifest).toMatchObject({ stores: 'servers', secretKey: 'environment', postgres: {}, clickhouse: [] });
  expect(copied).toBe(1);
  await wal.append(Buffer.from('three'));

  const restored = join(root, 'restored');
  const directory = { path: restored, clickhouse: join(restored, 'clickhouse'), postgres: join(restored, 'postgres') };
  await restoreBackup(plan().into, await readWholeBackup(plan().into), {
    directory,
    openClickHouse: noStores,
    openPostgres: noStores,
  });
  const again = await openWal({ directory: join(restored, 'wal') });
  try {
    expect(again.id).not.toBe(wal.id);
    const segments = again.closedSegments();
    const read = (await Promise.all(segments.map((segment) => again.read(segment)))).flat();
    expect(read.map(String)).toEqual(['one', 'two']);
    // Versions continue after those of the original log.
    await again.append(Buffer.from('four'));
    const ids = (await again.rotate()).map(({ id }) => id);
    expect(Math.max(...ids)).toBeGreaterThan(Math.max(...segments.map(({ id }) => id)));
  } finally {
    await again.close();
  }
  expect(await readFile(join(plan().into, 'wal', 'log-id'), 'utf8')).toBe(`${wal.id}\n`);
});

test.each([
  ['server', 'embedded'],
  ['embedded', 'http'],
] as const)('a %s PostgreSQL and an %s ClickHouse are refused, with what to do', async (postgres, clickhouse) => {
  await serve(postgres, clickhouse);
  await expect(makeBackup(plan())).rejects.toThrow(/stop the service, copy its data directory/);
  expect(await readdir(root)).not.toContain('backup');
});

test('no backup remains when the service ends', async () => {
  await serve('server', 'http');
  const making = makeBackup(plan());
  await service.close();
  await expect(making).rejects.toThrow(/shutting down|went away|no service runs/);
  expect(await readdir(root)).not.toContain('backup');
});

test('nothing remains of an aborted backup, and another one succeeds', async () => {
  await serve('server', 'http');
  await wal.append(Buffer.from('one'));
  await expect(makeBackup({ ...plan(), signal: AbortSignal.abort() })).rejects.toThrow(/given up; nothing of it is left/);
  expect(await readdir(root)).not.toContain('backup');
  expect(copied).toBe(0);
  // After the service has noticed the end of the first backup.
  await expect.poll(() => makeBackup(plan()).then(({ stores }) => stores, String)).toBe('servers');
});

test('a directory that cannot be made is reported', async () => {
  await serve('server', 'http');
  await expect(makeBackup({ ...plan(), into: '/proc/spanwise/backup' })).rejects.toThrow(/no backup was made/);
  await expect(makeBackup({ ...plan(), into: join(root, 'several', 'levels') })).resolves.toMatchObject({ stores: 'servers' });
});

test('a command that runs in the service gets its result, its refusal, or that no service runs', async () => {
  await serve('embedded', 'embedded');
  const socket = join(root, 'control.sock');
  expect(await askService(socket, 'greet', { name: 'Ada' })).toEqual({ result: { greeted: { name: 'Ada' } } });
  await expect(askService(socket, 'leave', {})).rejects.toThrow('there is no such operation');
  expect(await askService(join(root, 'none.sock'), 'greet', {})).toBeNull();
});

test('the service closes after an operation in progress, whose command may have gone away, and tells what it did', async () => {
  await serve('server', 'http');
  const { socket: path } = plan();
  const gone = connect(path);
  gone.write(`${JSON.stringify({ ask: 'operate', operation: 'wait', input: {} })}\n`);
  const answer = askService(path, 'wait', {});
  // An answer says that what was sent before has been read.
  await askService(path, 'greet', {});
  gone.destroy();
  const order: string[] = [];
  const closed = service.close().then(() => order.push('closed'));
  void waited.promise.then(() => order.push('ended'));
  await new Promise(setImmediate);
  waited.resolve('done');
  expect(await answer).toEqual({ result: 'done' });
  await closed;
  expect(order).toEqual(['ended', 'closed']);
});
