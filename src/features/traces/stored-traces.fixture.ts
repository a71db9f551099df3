import type { ClickHouse } from '../../platform/clickhouse/index.ts';

/** A row of table `traces` as tests make it up; what is left out is empty. */
export interface StoredTrace {
  trace_id: string;
  /** Nanoseconds since the epoch. */
  start_ns: bigint;
  version?: number;
  is_deleted?: 0 | 1;
  duration_ms?: number | null;
  cost?: number;
  error?: 0 | 1;
  models?: string[];
  tags?: string[];
  session_id?: string;
  user_id?: string;
  environment?: string;
}

/** Puts rows into table `traces` as they are, past the pipeline. */
export async function storeTraces(clickhouse: ClickHouse, projectId: string, traces: readonly StoredTrace[]): Promise<void> {
  if (traces.length === 0) return;
  const rows = traces.map(({ start_ns, version = 1, ...trace }) =>
    JSON.stringify({ project_id: projectId, start_time: nanoseconds(start_ns), version, ...trace }),
  );
  await clickhouse.command(`INSERT INTO traces FORMAT JSONEachRow ${rows.join('\n')}`);
}

function nanoseconds(ns: bigint): string {
  return `${new Date(Number(ns / 1_000_000n)).toISOString().slice(0, 19).replace('T', ' ')}.${String(ns % 1_000_000_000n).padStart(9, '0')}`;
}
