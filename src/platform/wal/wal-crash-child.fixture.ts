import { openSync, writeSync } from 'node:fs';
import { openWal } from './open-wal.ts';
import { crashRecord, numberOf } from './crash-record.fixture.ts';

/**
 * The process that the crash test kills: appends numbered records, consumes some segments like the batch writer, and writes each step to a ledger,
 * one per line, before it continues.
 *
 * Arguments: directory, ledger file, first number, how many records, failpoint or `-`, kill after that many acknowledgements or `-`.
 */
const [directory = '', ledgerFile = '', first = '0', count = '0', failpoint = '-', killAfter = '-'] = process.argv.slice(2);
const ledger = openSync(ledgerFile, 'a');
// No fsync: the page cache survives the process.
const note = (fact: string): number => writeSync(ledger, `${fact}\n`);

const log = await openWal({ directory, maxSegmentBytes: 4_000, failpoint: failpoint === '-' ? null : failpoint });
let acknowledged = 0;
const waiting = new Set<Promise<void>>();
for (let number = Number(first); number < Number(first) + Number(count); number++) {
  note(`sent ${number}`);
  const appended = log.append(crashRecord(number)).then(() => {
    note(`acknowledged ${number}`);
    acknowledged += 1;
    if (acknowledged === Number(killAfter)) process.kill(process.pid, 'SIGKILL');
    waiting.delete(appended);
  });
  waiting.add(appended);
  if (waiting.size >= 5) await Promise.race(waiting);
  if (number % 7 === 0) await consume();
}
await Promise.all(waiting);
await consume();
await log.close();

async function consume(): Promise<void> {
  for (const segment of await log.rotate()) {
    const numbers = (await log.read(segment)).map(numberOf);
    note(`segment ${segment.id} ${numbers[0]}`);
    // Leave some segments for the next process.
    if (segment.id % 3 === 0) continue;
    for (const number of numbers) note(`consumed ${number}`);
    await log.remove(segment);
  }
}
