import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import { walFailpoints } from '../failpoint/failpoint.ts';
import { numberOf } from './crash-record.fixture.ts';
import { OpenedLogs } from './opened-logs.fixture.ts';

const logs = new OpenedLogs();
afterEach(() => logs.dispose());

const recordsPerRound = 120;
const child = fileURLToPath(new URL('./wal-crash-child.fixture.ts', import.meta.url));

/** Runs the child; resolves with the signal that ended it, or null when it exited by itself. */
function run(directory: string, round: number, failpoint: string, killAfter: string): Promise<NodeJS.Signals | null> {
  const first = String(round * recordsPerRound);
  const given = [child, join(directory, 'log'), join(directory, 'ledger'), first, String(recordsPerRound), failpoint, killAfter];
  return new Promise((resolve, reject) => {
    const started = spawn(process.execPath, given, { stdio: ['ignore', 'inherit', 'pipe'] });
    let errors = '';
    started.stderr.setEncoding('utf8').on('data', (part: string) => (errors += part));
    started.once('error', reject);
    started.once('close', (code, signal) => {
      if (signal === null && code !== 0) reject(new Error(`the child ended with ${code}: ${errors}`));
      else resolve(signal);
    });
  });
}

/** The values of one kind of ledger line, in order. */
function facts(directory: string, word: string): string[] {
  const lines = readFileSync(join(directory, 'ledger'), 'latin1').split('\n');
  return lines.filter((line) => line.startsWith(`${word} `)).map((line) => line.slice(word.length + 1));
}

const noted = (directory: string, word: string): number[] => facts(directory, word).map(Number);

/** Opens the log after the crashes and compares it with the ledger. */
async function compare(directory: string): Promise<void> {
  const log = await logs.open(join(directory, 'log'));
  const segments = await log.rotate();
  const left: number[] = [];
  for (const segment of segments) left.push(...(await log.read(segment)).map(numberOf));
  const consumed = noted(directory, 'consumed');
  const sent = new Set(noted(directory, 'sent'));
  const found = new Set([...consumed, ...left]);
  expect(noted(directory, 'acknowledged').filter((number) => !found.has(number))).toEqual([]);
  expect([...found].filter((number) => !sent.has(number))).toEqual([]);
  expect(left).toEqual([...new Set(left)].toSorted((one, other) => one - other));
  expect(log.stats().quarantined).toBe(0);
  // A segment may be offered again after a crash, but its id is never reused: its first record stays the same.
  const offered = new Set(facts(directory, 'segment'));
  for (const segment of segments) offered.add(`${segment.id} ${numberOf((await log.read(segment))[0] ?? new Uint8Array())}`);
  expect(new Set([...offered].map((fact) => fact.split(' ')[0])).size).toBe(offered.size);
  await log.close();
}

describe.each(walFailpoints)('killed at %s', (failpoint) => {
  test('loses nothing that was acknowledged', async () => {
    const directory = logs.directory();
    writeFileSync(join(directory, 'ledger'), '');
    for (const [round, hit] of [2, 5, 1].entries()) {
      expect(await run(directory, round, `${failpoint}:${hit}`, '-')).toBe('SIGKILL');
    }
    await compare(directory);
    // The log continues normally.
    expect(await run(directory, 3, '-', '-')).toBeNull();
    await compare(directory);
    expect(noted(directory, 'acknowledged').filter((number) => number >= 3 * recordsPerRound)).toHaveLength(recordsPerRound);
  });
});

test('killed by the main thread while the log thread writes, after any number of acknowledgements', async () => {
  const directory = logs.directory();
  writeFileSync(join(directory, 'ledger'), '');
  for (const [round, acknowledgements] of [1, 6, 23, 47, 113].entries()) {
    expect(await run(directory, round, '-', String(acknowledgements))).toBe('SIGKILL');
    await compare(directory);
  }
});
