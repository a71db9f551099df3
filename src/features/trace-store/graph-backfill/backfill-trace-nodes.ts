import type { ClickHouse, TenantReader } from '../../../platform/clickhouse/index.ts';
import { traces } from '../tables/traces.ts';

const nodeColumns = ['nodes', 'node_environments'];
const kept = traces.layout.map(([column]) => column).filter((column) => !nodeColumns.includes(column));
/** Maximum traces of one statement, unless a single hour has more. */
const maxTraces = 200_000;

const inPortion =
  'start_time >= fromUnixTimestamp64Milli({fromMs:Int64}) AND start_time < fromUnixTimestamp64Milli({beforeMs:Int64})';

/** Hours in which traces without nodes start, with their number and the time of their newest record. */
export const hoursWithoutNodesSql = `SELECT toUnixTimestamp(toStartOfHour(start_time)) AS hour, count() AS traces,
  toUnixTimestamp64Milli(max(newest_time)) AS newestMs
FROM traces FINAL WHERE empty(nodes) GROUP BY hour ORDER BY hour`;

/**
 * Writes the summaries of traces without nodes again, with the nodes of their rows in `node_calls` and under their own version: the later of two rows
 * of one version counts, and one that a batch writes meanwhile has a higher version.
 */
export const traceNodesSql = `INSERT INTO traces (${[...kept, ...nodeColumns].join(', ')})
SELECT ${kept.map((column) => `summary.${column}`).join(', ')}, arrayMap(pair -> pair.1, called.pairs), arrayMap(pair -> pair.2, called.pairs)
FROM (SELECT * FROM traces FINAL WHERE ${inPortion} AND empty(nodes)) AS summary
JOIN (
  SELECT trace_id, arraySlice(arraySort(groupUniqArrayArray(arrayConcat([(toString(node), toString(environment))],
    if(provider != '', [(concat('provider:', provider), toString(environment))], []),
    if(prompt_name != '', [(concat('prompt:', prompt_name), toString(environment))], [])))), 1, 2000) AS pairs
  FROM node_calls FINAL
  WHERE hour >= toStartOfHour(fromUnixTimestamp64Milli({fromMs:Int64})) AND hour <= fromUnixTimestamp64Milli({newestMs:Int64})
    AND trace_id GLOBAL IN (SELECT trace_id FROM traces FINAL WHERE ${inPortion} AND empty(nodes))
  GROUP BY trace_id
) AS called ON called.trace_id = summary.trace_id`;

/** Gives stored summaries their nodes. May be repeated. @returns false when `signal` stopped it */
export async function backfillTraceNodes(clickhouse: ClickHouse, projectId: string, signal?: AbortSignal): Promise<boolean> {
  const reader = clickhouse.forTenant({ projectId, oldestMs: null });
  for (const portion of await portions(reader)) {
    if (signal?.aborted) return false;
    await reader.insertSelect(traceNodesSql, { ...portion });
  }
  return true;
}

interface Portion {
  fromMs: number;
  beforeMs: number;
  newestMs: number;
}

async function portions(reader: TenantReader): Promise<Portion[]> {
  const divided: Portion[] = [];
  let held = Number.POSITIVE_INFINITY;
  for (const { hour, traces: more, newestMs } of await reader.query<{ hour: number; traces: number; newestMs: number }>(
    hoursWithoutNodesSql,
  )) {
    const beforeMs = (hour + 3_600) * 1000;
    const last = divided.at(-1);
    held += more;
    if (last && held <= maxTraces) Object.assign(last, { beforeMs, newestMs: Math.max(last.newestMs, newestMs) });
    else {
      divided.push({ fromMs: hour * 1000, beforeMs, newestMs });
      held = more;
    }
  }
  return divided;
}
