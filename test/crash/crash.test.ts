import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService, temporaryDataDirectory } from '../support/service.ts';
import { compare, crashRound, stored } from './crash-round.ts';
import type { Ledger } from './crash-round.ts';

/** Where the service kills itself, on the given hit of the point. */
const failpoints = ['before-write:3', 'after-write:3', 'after-sync:4', 'before-ack:5', 'segment-created:2', 'segment-removed:1'];
/** Beside one at each failpoint; `npm run torture` makes as many as are wanted. */
const randomRounds = 6;

let directory: { path: string; remove(): Promise<void> };
const ledgers: Ledger[] = [];

beforeAll(async () => {
  directory = await temporaryDataDirectory();
});
afterAll(() => directory.remove());

function newLedger(round: number): Ledger {
  const ledger = {
    traceId: String(round + 1).padStart(32, '0'),
    model: `model-${round}`,
    sent: new Set<string>(),
    acknowledged: new Set<string>(),
  };
  ledgers.push(ledger);
  return ledger;
}

test('12 kills lose nothing that was acknowledged, and double nothing', { timeout: 600_000 }, async () => {
  for (let round = 0; round < randomRounds; round++) {
    await crashRound(directory.path, newLedger(round), 30 + Math.random() * 900);
  }
  for (const [index, failpoint] of failpoints.entries()) {
    await crashRound(directory.path, newLedger(randomRounds + index), null, failpoint);
  }
  const service = await startService({ dataDirectory: directory.path });
  for (const ledger of ledgers) compare(ledger, await stored(service, ledger));
  expect(await service.stop('SIGTERM')).toBe(0);
  expect(ledgers.reduce((sum, ledger) => sum + ledger.acknowledged.size, 0)).toBeGreaterThan(200);
});
