import type { ClickHouse } from '../../platform/clickhouse/index.ts';

/** A row of table `traces` for tests; fields left out are empty. */
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

/** A row of table `scores` for tests. */
export interface StoredScore extends Pick<StoredTrace, 'trace_id' | 'start_ns' | 'version' | 'is_deleted'> {
  score_id: string;
  span_id?: string;
  evaluator: string;
  score: number;
  passed?: 0 | 1 | null;
}

/** A row of table `spans` for tests. */
export interface StoredSpan extends Pick<StoredTrace, 'trace_id' | 'start_ns' | 'version' | 'is_deleted'> {
  span_id: string;
  prompt_name?: string;
  prompt_version?: string;
  input?: string;
}

/** Inserts rows into table `traces` directly, without the pipeline. */
export function storeTraces(clickhouse: ClickHouse, projectId: string, traces: readonly StoredTrace[]): Promise<void> {
  return storeRows(clickhouse, 'traces', projectId, traces);
}

/** Inserts rows of scores or spans directly, without the pipeline. */
export async function storeRows(
  clickhouse: ClickHouse,
  table: 'traces' | 'scores' | 'spans',
  projectId: string,
  stored: ReadonlyArray<StoredTrace | StoredScore | StoredSpan>,
): Promise<void> {
  if (stored.length === 0) return;
  const rows = stored.map(({ start_ns, version = 1, ...row }) => {
    const start = nanoseconds(start_ns);
    return JSON.stringify({
      project_id: projectId,
      start_time: table === 'scores' ? start.slice(0, -6) : start,
      version,
      ...row,
    });
  });
  await clickhouse.command(`INSERT INTO ${table} FORMAT JSONEachRow ${rows.join('\n')}`);
}

function nanoseconds(ns: bigint): string {
  return `${new Date(Number(ns / 1_000_000n)).toISOString().slice(0, 19).replace('T', ' ')}.${String(ns % 1_000_000_000n).padStart(9, '0')}`;
}
