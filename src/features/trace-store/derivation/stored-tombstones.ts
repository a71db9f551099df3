import type { ClickHouse } from '../../../platform/clickhouse/index.ts';

/** Maximum rows whose keys one query has. */
const chunkSize = 1000;
const idColumns = { spans: 'span_id', scores: 'score_id' } as const;

/** Versions of tombstones, by trace id and then by span or score id. */
export type Tombstones = ReadonlyMap<string, ReadonlyMap<string, number>>;

/** The highest version of the tombstones stored under the keys of some spans or scores of a project; keys without a tombstone are left out. */
export async function storedTombstones(
  clickhouse: Pick<ClickHouse, 'forTenant'>,
  projectId: string,
  table: keyof typeof idColumns,
  keys: ReadonlyArray<{ traceId: string; id: string }>,
): Promise<Tombstones> {
  const found = new Map<string, Map<string, number>>();
  const reader = clickhouse.forTenant({ projectId, oldestMs: null });
  for (let at = 0; at < keys.length; at += chunkSize) {
    const chunk = keys.slice(at, at + chunkSize);
    // Without FINAL, which leaves tombstones out. The two lists match more keys than asked for; each is the key of a tombstone.
    const rows = await reader.query<{ trace: string; id: string; version: number }>(
      `SELECT trace_id AS trace, ${idColumns[table]} AS id, max(version) AS version FROM ${table}
       WHERE project_id = {project:UUID} AND trace_id IN {traces:Array(String)} AND ${idColumns[table]} IN {ids:Array(String)}
         AND is_deleted = 1 GROUP BY trace, id`,
      {
        project: projectId,
        traces: [...new Set(chunk.map(({ traceId }) => traceId))],
        ids: [...new Set(chunk.map(({ id }) => id))],
      },
    );
    for (const { trace, id, version } of rows) {
      const ofTrace = found.get(trace) ?? new Map<string, number>();
      found.set(trace, ofTrace.set(id, version));
    }
  }
  return found;
}

/** Whether a row of this key and version is replaced by one of the tombstones. */
export function isBelow(tombstones: Tombstones, traceId: string, id: string, version: number): boolean {
  return version < (tombstones.get(traceId)?.get(id) ?? 0);
}
