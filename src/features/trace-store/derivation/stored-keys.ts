import type { ClickHouse } from '../../../platform/clickhouse/index.ts';

/** Keys of the stored derived rows of one trace. */
export interface DerivedKeys {
  calls: Array<{ hour: number; spanId: string }>;
  nodeCalls: Array<{ hour: number; callId: string }>;
  quality: Array<{ hour: number; scoreId: string }>;
  agents: Array<{ spanId: string; startNs: bigint }>;
  /** Starts of its summaries, epoch nanoseconds. */
  summaries: bigint[];
  /** Of `span_headers`. */
  headers: Array<{ spanId: string; startNs: bigint; version: number }>;
}

/** The first and last second (epoch) of any row of the traces' spans and scores, tombstones included; null without any. */
export async function secondsOf(
  clickhouse: Pick<ClickHouse, 'forTenant'>,
  projectId: string,
  traceIds: readonly string[],
): Promise<{ first: number; last: number } | null> {
  const reader = clickhouse.forTenant({ projectId, oldestMs: null });
  const [row] = await reader.query<{ first: number; last: number }>(
    `SELECT toUnixTimestamp(min(start_time)) AS first, toUnixTimestamp(max(start_time)) AS last FROM (
       SELECT start_time FROM spans WHERE trace_id IN {traces:Array(String)}
       UNION ALL SELECT start_time FROM scores WHERE trace_id IN {traces:Array(String)})
     HAVING count() > 0`,
    { traces: traceIds },
  );
  return row ?? null;
}

/** Rows of earlier versions are searched this far before and after the hours of a trace's spans and scores. */
const slackSeconds = 86_400;

/**
 * Looks up the keys of the derived rows of the given traces of a project, and the highest version of any of their rows.
 *
 * @param between see {@link secondsOf}
 */
export async function derivedKeys(
  clickhouse: Pick<ClickHouse, 'forTenant'>,
  projectId: string,
  traceIds: readonly string[],
  between: { first: number; last: number },
): Promise<{ keys: Map<string, DerivedKeys>; highestVersion: number }> {
  const reader = clickhouse.forTenant({ projectId, oldestMs: null });
  const parameters = { traces: traceIds, first: Math.max(0, between.first - slackSeconds), last: between.last + slackSeconds };
  const inHours = 'hour >= toDateTime({first:UInt32}) AND hour <= toDateTime({last:UInt32})';
  const inTime = 'start_time >= toDateTime({first:UInt32}) AND start_time <= toDateTime({last:UInt32})';
  const ofTraces = 'trace_id IN {traces:Array(String)}';
  const [calls, nodeCalls, quality, agents, summaries, headers, versions] = await Promise.all([
    reader.query<{ t: string; h: number; s: string }>(
      `SELECT trace_id AS t, toUnixTimestamp(hour) AS h, span_id AS s FROM calls FINAL WHERE ${inHours} AND ${ofTraces}`,
      parameters,
    ),
    reader.query<{ t: string; h: number; s: string }>(
      `SELECT trace_id AS t, toUnixTimestamp(hour) AS h, call_id AS s FROM node_calls FINAL WHERE ${inHours} AND ${ofTraces}`,
      parameters,
    ),
    reader.query<{ t: string; h: number; s: string }>(
      `SELECT trace_id AS t, toUnixTimestamp(hour) AS h, score_id AS s FROM quality FINAL WHERE ${inHours} AND ${ofTraces}`,
      parameters,
    ),
    reader.query<{ t: string; b: string; s: string }>(
      `SELECT trace_id AS t, toString(reinterpretAsInt64(start_time)) AS b, span_id AS s FROM span_agents FINAL WHERE ${ofTraces}`,
      parameters,
    ),
    reader.query<{ t: string; b: string }>(
      `SELECT trace_id AS t, toString(reinterpretAsInt64(start_time)) AS b FROM traces FINAL WHERE ${inTime} AND ${ofTraces}`,
      parameters,
    ),
    reader.query<{ t: string; b: string; s: string; v: number }>(
      `SELECT trace_id AS t, toString(reinterpretAsInt64(start_time)) AS b, span_id AS s, version AS v
       FROM span_headers FINAL WHERE ${inTime} AND ${ofTraces}`,
      parameters,
    ),
    // Including tombstones.
    reader.query<{ v: number }>(
      `SELECT max(version) AS v FROM (SELECT version FROM calls WHERE ${inHours} AND ${ofTraces}
       UNION ALL SELECT version FROM node_calls WHERE ${inHours} AND ${ofTraces}
       UNION ALL SELECT version FROM quality WHERE ${inHours} AND ${ofTraces}
       UNION ALL SELECT version FROM span_agents WHERE ${ofTraces}
       UNION ALL SELECT version FROM traces WHERE ${inTime} AND ${ofTraces})`,
      parameters,
    ),
  ]);
  const keys = new Map<string, DerivedKeys>(
    traceIds.map((traceId) => [traceId, { calls: [], nodeCalls: [], quality: [], agents: [], summaries: [], headers: [] }]),
  );
  for (const { t, h, s } of calls) keys.get(t)?.calls.push({ hour: h, spanId: s });
  for (const { t, h, s } of nodeCalls) keys.get(t)?.nodeCalls.push({ hour: h, callId: s });
  for (const { t, h, s } of quality) keys.get(t)?.quality.push({ hour: h, scoreId: s });
  for (const { t, b, s } of agents) keys.get(t)?.agents.push({ spanId: s, startNs: BigInt(b) });
  for (const { t, b } of summaries) keys.get(t)?.summaries.push(BigInt(b));
  for (const { t, b, s, v } of headers) keys.get(t)?.headers.push({ spanId: s, startNs: BigInt(b), version: v });
  return { keys, highestVersion: versions[0]?.v ?? 0 };
}
