// Makes the embedded stores that tests copy (store-templates.ts):
//   node make-store-templates.ts DIRECTORY
import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { migrateClickHouse, openClickHouse } from '../../src/platform/clickhouse/index.ts';
import { migratePostgres, openPostgres } from '../../src/platform/postgres/index.ts';
import { initialiseCluster } from '../../src/platform/postgres/initialise-cluster.ts';
import type { StoreTemplate } from './store-templates.ts';

const migrations = join(import.meta.dirname, '../../migrations');
const [directory = ''] = process.argv.slice(2);
const place = (template: StoreTemplate) => join(directory, template);

await initialiseCluster(place('empty-postgres'));
cpSync(place('empty-postgres'), place('postgres'), { recursive: true });
const postgres = await openPostgres({
  url: null,
  dataDirectory: place('postgres'),
  onError: (error) => {
    throw error;
  },
});
await migratePostgres(postgres, join(migrations, 'postgres'));
await postgres.close();

const temporaryDirectory = join(directory, 'tmp');
mkdirSync(temporaryDirectory);
const clickhouse = openClickHouse({
  url: null,
  dataDirectory: place('clickhouse'),
  temporaryDirectory,
  cluster: null,
  tables: {},
});
await migrateClickHouse(clickhouse, join(migrations, 'clickhouse'));
await clickhouse.close();
rmSync(temporaryDirectory, { recursive: true, force: true });
// Handles of both engines would keep the process alive.
process.exit(0);
