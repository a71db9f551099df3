import { randomUUID } from 'node:crypto';
import type { ClickHouse } from '../../../platform/clickhouse/index.ts';
import type { Database } from '../../../platform/postgres/index.ts';
import { DerivedRows } from '../pipeline/derived-rows.ts';
import { storedScores, storedSpans } from '../pipeline/stored-outlines.ts';
import { viewTrace } from '../pipeline/trace-view.ts';
import type { TouchedHour } from '../pipeline-contract.ts';
import { derivedKeys } from './stored-keys.ts';
import { TraceNotes } from './trace-notes.ts';

export interface SettleTracesOptions {
  clickhouse: ClickHouse;
  postgres: Database;
  markHours(hours: readonly TouchedHour[]): Promise<void>;
}

/** Most traces that are looked up at once. */
const chunkSize = 500;
/** Who writes the job's own notes: it is one writer, whichever process runs it. */
const settler = '00000000-0000-4000-8000-000000000000';

/**
 * Derives the traces anew that several replicas touched at the same moment, so that each may have missed the other's spans (ADR 0008). A job,
 * run by one process at a time; may be repeated. While it works it is a writer like the replicas and leaves notes like theirs: a batch that
 * comes in between brings it to the trace again.
 *
 * @returns how many traces were derived anew
 */
export async function settleTraces(options: SettleTracesOptions): Promise<number> {
  const notes = new TraceNotes(options.postgres, settler);
  const { noteIds, traces } = await notes.overlaps();
  let settled = 0;
  for (const { projectId, traceIds } of traces) {
    for (let at = 0; at < traceIds.length; at += chunkSize) {
      const chunk = traceIds.slice(at, at + chunkSize);
      const { beganAt, version } = await notes.begin();
      await deriveAnew(options, projectId, chunk, version);
      await notes.add([{ projectId, traceIds: chunk }], beganAt);
      settled += chunk.length;
    }
  }
  await notes.settled(noteIds);
  return settled;
}

async function deriveAnew(
  { clickhouse, markHours }: SettleTracesOptions,
  projectId: string,
  traceIds: readonly string[],
  version: number,
): Promise<void> {
  const [spans, scores] = await Promise.all([
    storedSpans(clickhouse, projectId, traceIds),
    storedScores(clickhouse, projectId, traceIds),
  ]);
  const views = traceIds.map((traceId) => ({ traceId, view: viewTrace(spans.get(traceId) ?? [], scores.get(traceId) ?? []) }));
  const seconds = [
    ...[...spans.values()].flat().map(({ startNs }) => Number(startNs / 1_000_000_000n)),
    ...[...scores.values()].flat().map(({ timestampMs }) => Math.floor(timestampMs / 1000)),
  ];
  // Nothing is stored: it was deleted meanwhile, with what had been derived of it.
  if (seconds.length === 0) return;
  const between = seconds.reduce(
    ({ first, last }, second) => ({ first: Math.min(first, second), last: Math.max(last, second) }),
    { first: Number.POSITIVE_INFINITY, last: 0 },
  );
  const { keys, highestVersion } = await derivedKeys(clickhouse, projectId, traceIds, between);
  const derived = new DerivedRows(Math.max(version, highestVersion + 1));
  for (const { traceId, view } of views) {
    const { calls = [], quality = [], summaries = [] } = keys.get(traceId) ?? {};
    derived.replace(projectId, traceId, view, {
      calls: calls.filter(({ hour, spanId }) => view.calls.get(spanId)?.hour !== hour),
      quality: quality.filter(({ hour, scoreId }) => view.quality.get(scoreId)?.hour !== hour),
      summaries: summaries.filter((startNs) => view.summary?.startNs !== startNs),
    });
  }
  await markHours(derived.hours());
  for (const insert of derived.inserts(`settle-${randomUUID()}`)) await clickhouse.insertRows(insert);
  await markHours(derived.hours());
}
