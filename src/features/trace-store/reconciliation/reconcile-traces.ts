import { randomUUID } from 'node:crypto';
import type { ClickHouse } from '../../../platform/clickhouse/index.ts';
import type { Database } from '../../../platform/postgres/index.ts';
import { DerivedRows } from '../derivation/derived-rows.ts';
import { storedScores, storedSpans, storedTags } from '../derivation/stored-headers.ts';
import { derivedKeys, secondsOf } from '../derivation/stored-keys.ts';
import { viewTrace } from '../derivation/trace-view.ts';
import type { TouchedHour } from '../pipeline-port.ts';
import { TraceNotes } from './trace-notes.ts';

export interface ReconcileTracesOptions {
  clickhouse: ClickHouse;
  postgres: Database;
  markHours(hours: readonly TouchedHour[]): Promise<void>;
}

/** Maximum traces of one look-up. */
const chunkSize = 500;
/** Replica id of the job's own notes, the same in every process. */
const reconcilerId = '00000000-0000-4000-8000-000000000000';

/**
 * Derives again the traces that several replicas wrote or deleted at the same time, since each may have missed the other's spans (ADR 0008). One process
 * at a time runs it; it may be repeated. It adds trace notes as a replica does, so that a trace that a batch wrote meanwhile is derived once more.
 *
 * @returns number of traces derived again
 */
export async function reconcileTraces(options: ReconcileTracesOptions): Promise<number> {
  const notes = new TraceNotes(options.postgres, reconcilerId);
  const { noteIds, traces } = await notes.overlaps();
  let reconciled = 0;
  for (const { projectId, traceIds } of traces) {
    for (let at = 0; at < traceIds.length; at += chunkSize) {
      const chunk = traceIds.slice(at, at + chunkSize);
      const { beganAt, version } = await notes.begin();
      await deriveAnew(options, projectId, chunk, version);
      await notes.add([{ projectId, traceIds: chunk }], beganAt);
      reconciled += chunk.length;
    }
  }
  await notes.markProcessed(noteIds);
  return reconciled;
}

async function deriveAnew(
  { clickhouse, markHours }: ReconcileTracesOptions,
  projectId: string,
  traceIds: readonly string[],
  version: number,
): Promise<void> {
  const [spans, scores, tags, between] = await Promise.all([
    storedSpans(clickhouse, projectId, traceIds),
    storedScores(clickhouse, projectId, traceIds),
    storedTags(clickhouse, projectId, traceIds),
    secondsOf(clickhouse, projectId, traceIds),
  ]);
  const views = traceIds.map((traceId) => ({
    traceId,
    view: viewTrace(spans.get(traceId) ?? [], scores.get(traceId) ?? [], tags.get(traceId)),
  }));
  if (between === null) return;
  const { keys, highestVersion } = await derivedKeys(clickhouse, projectId, traceIds, between);
  const derived = new DerivedRows(Math.max(version, highestVersion + 1));
  for (const { traceId, view } of views) {
    const { calls = [], nodeCalls = [], quality = [], agents = [], summaries = [], headers = [] } = keys.get(traceId) ?? {};
    const current = new Map(spans.get(traceId)?.map((span) => [span.spanId, span]));
    derived.replace(projectId, traceId, view, {
      calls: calls.filter(({ hour, spanId }) => view.calls.get(spanId)?.hour !== hour),
      nodeCalls: nodeCalls.filter(({ hour, callId }) => view.nodeCalls.get(callId)?.hour !== hour),
      quality: quality.filter(({ hour, scoreId }) => view.quality.get(scoreId)?.hour !== hour),
      agents: agents.filter(({ spanId }) => !view.agents.has(spanId)),
      summaries: summaries.filter((startNs) => view.summary?.startNs !== startNs),
      headers: headers
        .filter(({ spanId, startNs }) => current.get(spanId)?.startNs !== startNs)
        .map((row) => ({ ...row, version: Math.max(row.version + 1, current.get(row.spanId)?.version ?? 0) })),
    });
  }
  await markHours(derived.hours());
  for (const insert of derived.inserts(`reconcile-${randomUUID()}`)) await clickhouse.insertRows(insert);
  await markHours(derived.hours());
}
