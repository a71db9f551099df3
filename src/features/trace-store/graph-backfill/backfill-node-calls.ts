import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { ClickHouse } from '../../../platform/clickhouse/index.ts';
import { TableRows } from '../../../platform/tables/index.ts';
import { viewTrace } from '../derivation/trace-view.ts';
import { nodeCalls } from '../tables/node-calls.ts';
import { spans } from '../tables/spans.ts';
import type { SpanHeader } from '../tables/spans.ts';

/** Maximum spans of a portion, and of a trace. */
const maxSpans = 20_000;
/** Spans between two turns of the event loop. */
const spansATurn = 500;
/** Below the version of every row that a batch writes, so that neither a newer row nor a tombstone of a batch or deletion is replaced. */
const version = 1;

/**
 * Writes the rows of `node_calls` of the traces that follow `after` in the order of trace ids.
 *
 * @returns the id of the last of them; null when there are no more
 */
export async function backfillNodeCalls(clickhouse: ClickHouse, projectId: string, after: string): Promise<string | null> {
  const headers = await readHeaders(clickhouse, projectId, after);
  const byTrace = Map.groupBy(headers, ({ traceId }) => traceId);
  const ids = [...byTrace.keys()];
  const isLast = headers.length < maxSpans;
  // The last trace may have further spans, unless it is the only one and too long.
  const whole = isLast || ids.length === 1 ? ids : ids.slice(0, -1);
  const derived = new TableRows(nodeCalls, 64 * 1024);
  let added = 0;
  for (const traceId of whole) {
    const ofTrace = byTrace.get(traceId) ?? [];
    addCalls(derived, projectId, traceId, ofTrace);
    added += ofTrace.length;
    if (added < spansATurn) continue;
    added = 0;
    await yieldToEventLoop();
  }
  for (const insert of derived.inserts(`graph-${projectId}-${after}`)) await clickhouse.insertRows(insert);
  return isLast ? null : (whole.at(-1) ?? null);
}

/** The headers of the spans behind a trace id, in order. Parsed in turns: all at once would hold requests for a second. */
async function readHeaders(clickhouse: ClickHouse, projectId: string, after: string): Promise<SpanHeader[]> {
  const lines = await clickhouse
    .forTenant({ projectId, oldestMs: null })
    .queryLines(
      `SELECT ${spans.headerSelection} FROM spans FINAL WHERE trace_id > {after:String} ORDER BY trace_id, span_id LIMIT ${maxSpans}`,
      { after },
    );
  const headers: SpanHeader[] = [];
  for (const line of lines.split('\n')) {
    if (line === '') continue;
    headers.push(spans.parse(projectId, JSON.parse(line) as Record<string, unknown>));
    if (headers.length % spansATurn === 0) await yieldToEventLoop();
  }
  return headers;
}

function addCalls(
  derived: Pick<TableRows<Parameters<ReturnType<typeof nodeCalls.writer>>[1], unknown, never>, 'add'>,
  projectId: string,
  traceId: string,
  headers: readonly SpanHeader[],
): void {
  for (const call of viewTrace(headers, []).nodeCalls.values())
    derived.add({ projectId, version, deleted: false }, { traceId, call });
}
