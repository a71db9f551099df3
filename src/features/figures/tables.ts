import type { TenantTables } from '../../platform/clickhouse/index.ts';

/** The sealed rollups, for the tenant filter. */
export const figureTables: TenantTables = {
  model_hours: { timeColumn: 'hour', timeType: 'DateTime' },
  model_hour_sketches: { timeColumn: 'hour', timeType: 'DateTime' },
  graph_hours: { timeColumn: 'hour', timeType: 'DateTime' },
  quality_hours: { timeColumn: 'hour', timeType: 'DateTime' },
};
