import { afterAll, beforeAll, expect, test } from 'vitest';
import { runs } from '../../support/runs.ts';
import { startService, temporaryDataDirectory } from '../../support/service.ts';
import { copyStores } from '../../support/store-templates.ts';
import { compare, crashRound, stored } from './crash-round.ts';
import type { Ledger } from './crash-round.ts';

/** Failpoints at which the service kills itself, with the number of the hit. */
const failpoints = ['before-write:3', 'after-write:3', 'after-sync:4', 'before-ack:5', 'segment-created:2', 'segment-removed:1'];
/** Kills at a random moment, besides one at each failpoint; `npm run test:faults -- --rounds N --only kill` runs any number. */
const randomRounds = runs({ usual: 2, nightly: 12 });

let directory: { path: string; remove(): Promise<void> };
const ledgers: Ledger[] = [];

beforeAll(async () => {
  directory = await temporaryDataDirectory();
  copyStores(directory.path);
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

test('kills lose and duplicate no acknowledged span', { timeout: 600_000 }, async () => {
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
