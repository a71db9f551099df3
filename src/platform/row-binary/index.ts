// Separate from platform/clickhouse, which would load the engine's library into every thread that imports it.
export { RowReader } from './row-reader.ts';
export { RowWriter } from './row-writer.ts';
