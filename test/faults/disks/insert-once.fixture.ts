// Inserts a row into the embedded ClickHouse as a batch does, repeats it when it fails, and prints the number of rows. Tests kill it or fail its writes.
// With `read` it inserts nothing.
//   node insert-once.fixture.ts DATA_DIRECTORY [read]
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { openClickHouse } from '../../../src/platform/clickhouse/index.ts';

const [dataDirectory = '', mode] = process.argv.slice(2);
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
// Waits until the test has armed the kill.
if (process.send) {
  const told = new Promise((resolve) => process.once('message', resolve));
  process.send('opened');
  await told;
}
const insert = () => clickhouse.insertRows({ table: 't', layout: [['n', 'UInt8']], bytes: [new Uint8Array([7])], token: 'once' });
if (mode !== 'read') {
  await insert().catch(async (error: unknown) => {
    // As the pipeline retries a failed batch.
    process.send?.(String(error));
    await insert();
  });
}
const [found] = await clickhouse.systemQuery<{ rows: number }>('SELECT count() AS rows FROM t FINAL');
process.stdout.write(`${found?.rows}\n`);
await clickhouse.close();
process.exit(0);
