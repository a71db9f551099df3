import type { ClickHouse } from '../../../platform/clickhouse/index.ts';
import type { DeletionStore, HiddenTrace } from './deletion-store.ts';

/** Traces of one mutation: its statement is stored with each of their ids. */
const maxTraces = 500;

export interface PayloadDeletionOptions {
  clickhouse: ClickHouse;
  deletions: Pick<DeletionStore, 'hidden' | 'end'>;
}

/**
 * Deletes the replaced rows of deleted traces by a mutation of each table for many of them: parts of an old month may never be merged again, and each mutation
 * rewrites every part that has such rows. Mutations run in the background. Tombstones stay, also those of earlier deletions and starts: a mutation changes one
 * part after the other, and the log may repeat the rows that they replace. Repeatable.
 *
 * @param signal stops it between two mutations
 */
export async function deletePayloads({ clickhouse, deletions }: PayloadDeletionOptions, signal: AbortSignal): Promise<void> {
  for (;;) {
    const traces = await deletions.hidden(maxTraces);
    if (traces.length === 0) return;
    for (const table of ['spans', 'span_texts', 'span_headers', 'scores', 'outcomes', 'trace_tags', 'traces']) {
      if (signal.aborted) return;
      await deleteRows(clickhouse, table, traces);
    }
    await deletions.end(traces);
    if (traces.length < maxTraces) return;
  }
}

function deleteRows(clickhouse: ClickHouse, table: string, traces: readonly HiddenTrace[]): Promise<void> {
  const target = clickhouse.cluster === null ? table : `${table}_local ON CLUSTER '${clickhouse.cluster}'`;
  return clickhouse.command(
    `ALTER TABLE ${target} DELETE WHERE project_id IN {projects:Array(UUID)} AND trace_id IN {traces:Array(String)} AND is_deleted = 0
       AND version < transform(concat(toString(project_id), ' ', trace_id), {keys:Array(String)}, {versions:Array(UInt64)}, toUInt64(0))`,
    {
      projects: [...new Set(traces.map(({ projectId }) => projectId))],
      traces: [...new Set(traces.map(({ traceId }) => traceId))],
      keys: traces.map(({ projectId, traceId }) => `${projectId} ${traceId}`),
      versions: traces.map(({ version }) => version),
    },
  );
}
