// The process of the test of a service that does not stop: the embedded ClickHouse runs a statement of a minute.
import { killAfter } from './main.ts';
import { openClickHouse } from './platform/clickhouse/index.ts';

const [directory = ''] = process.argv.slice(2);
const clickhouse = openClickHouse({
  url: null,
  dataDirectory: `${directory}/clickhouse`,
  temporaryDirectory: directory,
  cluster: null,
  tables: {},
});
await clickhouse.systemQuery('SELECT 1');
void clickhouse.systemQuery('SELECT sleepEachRow(1) FROM numbers(60) SETTINGS max_block_size = 1');
killAfter(100, { error: (_facts: unknown, message?: string) => process.stdout.write(`${message}\n`) });
