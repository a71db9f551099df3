import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { compare, stored } from '../crash/crash-round.ts';
import { startService, temporaryDataDirectory } from '../../support/service.ts';
import { copyStores } from '../../support/store-templates.ts';
import { newLedger, sendSpans } from '../servers/outage.ts';

const main = join(import.meta.dirname, '../../../src/main.ts');
let directory: Awaited<ReturnType<typeof temporaryDataDirectory>>;
beforeAll(async () => {
  directory = await temporaryDataDirectory();
  copyStores(directory.path);
});
afterAll(() => directory.remove());

test('a store that was removed stops the start, and nothing is lost once it is back', { timeout: 120_000 }, async () => {
  const ledger = newLedger(1);
  const first = await startService({ dataDirectory: directory.path });
  expect(await sendSpans(first, ledger, 5)).toMatchObject({ status: 202 });
  expect(await first.stop()).toBe(0);
  const [clickhouse, away] = [join(directory.path, 'clickhouse'), join(directory.path, 'away')];
  renameSync(clickhouse, away);
  const starting = startService({ dataDirectory: directory.path });
  await expect(starting).rejects.toThrow(/ClickHouse \(.*\/clickhouse\) is missing or empty.*--accept-missing=clickhouse/);
  renameSync(away, clickhouse);
  const again = await startService({ dataDirectory: directory.path });
  compare(ledger, await stored(again, ledger));
  expect(await again.stop()).toBe(0);
  renameSync(clickhouse, away);
  const accepted = await startService({ dataDirectory: directory.path, program: [main, '--accept-missing=clickhouse'] });
  expect(await sendSpans(accepted, newLedger(2), 5)).toMatchObject({ status: 202 });
  expect(await accepted.stop()).toBe(0);
});
