import type { TenantTables } from '../../platform/clickhouse/index.ts';

/** The analytical tables that ingestion writes, for the tenant filter. */
export const ingestTables: TenantTables = {
  spans: { timeColumn: 'start_time', timeType: 'DateTime64' },
  scores: { timeColumn: 'start_time', timeType: 'DateTime64' },
  calls: { timeColumn: 'start_time', timeType: 'DateTime64' },
  quality: { timeColumn: 'start_time', timeType: 'DateTime64' },
  traces: { timeColumn: 'start_time', timeType: 'DateTime64' },
};
