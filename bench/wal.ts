import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { openWal } from '../src/platform/wal/index.ts';

/**
 * Throughput of the write-ahead log with records of 4 KB (a small request) and 600 KB (512 spans), from one sender and from many, beside
 * a bare loop of write and fdatasync on the same disk. A consumer removes closed segments. Takes about 7 s and at most 1 GiB in the
 * temporary directory.
 */
const directory = mkdtempSync(join(tmpdir(), 'spanwise-bench-wal-'));
const measureMs = 1_000;
const maxBytes = 800_000_000;

interface Figures {
  appends: number;
  commits: number;
  bytes: number;
  seconds: number;
}

function print(title: string, { appends, commits, bytes, seconds }: Figures): void {
  const rate = (count: number): string => Math.round(count / seconds).toLocaleString('en');
  const columns = [`${rate(appends)} appends/s`, `${rate(commits)} commits/s`, `${rate(bytes / 1e6)} MB/s`];
  console.log(title.padEnd(28) + columns.map((column) => column.padStart(20)).join(''));
}

function bareLoop(size: number): Figures {
  const descriptor = openSync(join(directory, 'bare'), 'w');
  const record = Buffer.alloc(size, 0x5a);
  const start = performance.now();
  let appends = 0;
  while (performance.now() - start < measureMs && appends * size < maxBytes) {
    for (let written = 0; written < size;) written += writeSync(descriptor, record, written);
    fdatasyncSync(descriptor);
    appends += 1;
  }
  const seconds = (performance.now() - start) / 1000;
  closeSync(descriptor);
  rmSync(join(directory, 'bare'));
  return { appends, commits: appends, bytes: appends * size, seconds };
}

async function throughLog(size: number, senders: number): Promise<Figures> {
  const log = await openWal({ directory: join(directory, `log-${size}-${senders}`) });
  const record = Buffer.alloc(size, 0x5a);
  const start = performance.now();
  let appends = 0;
  const going = (): boolean => performance.now() - start < measureMs && appends * size < maxBytes;
  const send = async (): Promise<void> => {
    while (going()) {
      await log.append(record);
      appends += 1;
    }
  };
  const consume = async (): Promise<void> => {
    while (going()) {
      await delay(100);
      for (const segment of log.closedSegments()) await log.remove(segment);
    }
  };
  const consuming = consume();
  await Promise.all(Array.from({ length: senders }, send));
  const seconds = (performance.now() - start) / 1000;
  await consuming;
  const { commits } = log.stats();
  await log.close();
  return { appends, commits, bytes: appends * size, seconds };
}

try {
  for (const [title, size, senders] of [
    ['4 KB', 4_096, 256],
    ['600 KB', 600_000, 16],
  ] as const) {
    print(`${title}, bare loop`, bareLoop(size));
    print(`${title}, log, 1 sender`, await throughLog(size, 1));
    print(`${title}, log, ${senders} senders`, await throughLog(size, senders));
  }
} finally {
  rmSync(directory, { recursive: true, force: true });
}
