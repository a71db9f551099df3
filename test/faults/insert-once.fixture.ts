// Inserts a row into the embedded ClickHouse as a batch does, and prints how many there are; for a test that kills it on the way.
//   node insert-once.fixture.ts DATA_DIRECTORY
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { openClickHouse } from '../../src/platform/clickhouse/index.ts';

const [dataDirectory = ''] = process.argv.slice(2);
const temporaryDirectory = join(dataDirectory, 'tmp');
mkdirSync(temporaryDirectory, { recursive: true });
const clickhouse = openClickHouse({
  url: null,
  dataDirectory: join(dataDirectory, 'clickhouse'),
  temporaryDirectory,
  cluster: null,
  tables: {},
});
await clickhouse.command(
  `CREATE TABLE IF NOT EXISTS t (n UInt8) ENGINE = ReplacingMergeTree ORDER BY n
   SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, non_replicated_deduplication_window = 1000`,
);
// The test may want to set a trap before it goes on.
if (process.send) {
  const told = new Promise((resolve) => process.once('message', resolve));
  process.send('opened');
  await told;
}
await clickhouse.insertRows({ table: 't', layout: [['n', 'UInt8']], bytes: [new Uint8Array([7])], token: 'once' });
const [found] = await clickhouse.systemQuery<{ rows: number }>('SELECT count() AS rows FROM t FINAL');
process.stdout.write(`${found?.rows}\n`);
await clickhouse.close();
process.exit(0);
