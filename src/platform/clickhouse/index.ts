export { awaitClickHouse } from './await-server.ts';
export { ClickHouseStartError } from './start-error.ts';
export { openClickHouse } from './clickhouse.ts';
export type { ClickHouse, ClickHouseOptions, TenantReader } from './clickhouse.ts';
export type { InsertRows, RowLayout } from './insert-rows.ts';
export { migrateClickHouse } from './migrate.ts';
export type { TenantScope, TenantTables } from './tenant-settings.ts';
export type { QueryParameters } from './query-parameters.ts';
