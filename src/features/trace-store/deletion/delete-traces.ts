import { createHash } from 'node:crypto';
import { reachFailpoint } from '../../../platform/failpoint/failpoint.ts';
import { TableRows } from '../../../platform/tables/index.ts';
import type { BatchWriterOptions } from '../batches/batch-writer.ts';
import { DerivedRows } from '../derivation/derived-rows.ts';
import { storedOutcomesOf, storedScores, storedSpans, storedTags } from '../derivation/stored-headers.ts';
import { viewTrace } from '../derivation/trace-view.ts';
import type { TraceView } from '../derivation/trace-view.ts';
import type { BegunTrace } from '../pipeline-port.ts';
import { outcomes } from '../tables/outcomes.ts';
import type { OutcomeHeader } from '../tables/outcomes.ts';
import { scores } from '../tables/scores.ts';
import type { ScoreHeader } from '../tables/scores.ts';
import { spans } from '../tables/spans.ts';
import type { SpanHeader } from '../tables/spans.ts';
import { traceTags } from '../tables/trace-tags.ts';
import { foundOf } from './delete-trace.ts';

/** Rows of the traces that are deleted by the same inserts. A larger trace is deleted alone, in rounds. */
export const maxRowsAtOnce = 20_000;
const maxTracesAtOnce = 500;

/**
 * Groups traces so that each group is deleted by one insert a table; a trace of more than {@link maxRowsAtOnce} rows is in `large`, one without rows in neither.
 */
export async function groupTraces(
  { clickhouse }: Pick<BatchWriterOptions, 'clickhouse'>,
  projectId: string,
  traceIds: readonly string[],
): Promise<{ groups: string[][]; large: string[] }> {
  const reader = clickhouse.forTenant({ projectId, oldestMs: null });
  const groups: string[][] = [];
  const large: string[] = [];
  let group: string[] = [];
  let rows = 0;
  for (let at = 0; at < traceIds.length; at += maxTracesAtOnce) {
    const part = traceIds.slice(at, at + maxTracesAtOnce);
    // Replaced rows and tombstones count too: an upper bound that reads one column.
    const from = (table: string) => `SELECT trace_id FROM ${table} WHERE trace_id IN {traces:Array(String)}`;
    const counted = await reader.query<{ id: string; stored: number }>(
      `SELECT trace_id AS id, toUInt32(count()) AS stored FROM (${['spans', 'scores', 'outcomes'].map(from).join(' UNION ALL ')}) GROUP BY id`,
      { traces: part },
    );
    const storedOf = new Map(counted.map(({ id, stored }) => [id, stored]));
    for (const traceId of part) {
      const stored = storedOf.get(traceId) ?? 0;
      if (stored === 0) continue;
      if (stored > maxRowsAtOnce) {
        large.push(traceId);
        continue;
      }
      if (rows + stored > maxRowsAtOnce || group.length === maxTracesAtOnce) {
        groups.push(group);
        group = [];
        rows = 0;
      }
      group.push(traceId);
      rows += stored;
    }
  }
  if (group.length > 0) groups.push(group);
  return { groups, large };
}

interface StoredRowsOfTrace {
  spans: readonly SpanHeader[];
  scores: readonly ScoreHeader[];
  outcomes: readonly OutcomeHeader[];
}

/**
 * Deletes one group of {@link groupTraces} as `deleteTrace` does a trace, by one insert a table for all of them.
 *
 * @param version higher than that of every row of the traces
 * @param begin called before anything is written, with the version of the tombstones and what is stored
 * @returns the ids that were stored
 */
export async function deleteTraces(
  options: BatchWriterOptions,
  projectId: string,
  traceIds: readonly string[],
  version: number,
  begin: (version: number, begun: readonly BegunTrace[]) => Promise<void>,
): Promise<string[]> {
  const { clickhouse, builder, markHours, notes } = options;
  for (const traceId of traceIds) await builder.forget(projectId, traceId);
  const begun = await notes?.begin();
  const stored = await storedRowsOf(options, projectId, traceIds);
  if (stored.size === 0) return [];
  const ids = [...stored.keys()];
  const tagsOf = await storedTags(clickhouse, projectId, ids);
  const above = versionAbove(stored.values(), tagsOf.values(), version);
  const found: BegunTrace[] = [];
  for (const [traceId, rows] of stored) found.push({ traceId, ...(await foundOf(clickhouse, projectId, traceId, rows.spans)) });
  await begin(above, found);
  const derived = new DerivedRows(Math.max(above, begun?.version ?? 0));
  const [spanRows, scoreRows, outcomeRows, tagRows] = [
    new TableRows(spans),
    new TableRows(scores),
    new TableRows(outcomes),
    new TableRows(traceTags),
  ];
  const quality: TraceView['quality'] = new Map();
  const nothing = viewTrace([], []);
  const stamp = { projectId, version: above };
  for (const [traceId, rows] of stored) {
    const view = viewTrace(rows.spans, rows.scores);
    derived.add(projectId, traceId, view, nothing);
    for (const [scoreId, row] of view.quality) quality.set(scoreId, row);
    for (const span of rows.spans) {
      derived.hideHeader(projectId, above, span);
      spanRows.addTombstone(stamp, span);
    }
    for (const score of rows.scores) scoreRows.addTombstone(stamp, score);
    for (const outcome of rows.outcomes) outcomeRows.addTombstone(stamp, outcome);
    const tags = tagsOf.get(traceId);
    if (tags) tagRows.addTombstone(stamp, tags);
  }
  derived.addQuality(projectId, quality, nothing.quality);
  const token = `delete-${projectId}-${createHash('sha256').update(JSON.stringify(ids)).digest('hex')}-${above}`;
  await markHours(derived.hours());
  for (const insert of derived.inserts(token)) {
    await clickhouse.insertRows(insert);
    reachFailpoint('deletion-derived');
  }
  for (const rows of [spanRows, scoreRows, outcomeRows, tagRows]) {
    for (const insert of rows.inserts(token)) await clickhouse.insertRows(insert);
  }
  reachFailpoint('deletion-written');
  await markHours(derived.hours());
  reachFailpoint('deletion-marked');
  if (begun) await notes?.addDeletion(projectId, ids, begun.beganAt);
  return ids;
}

async function storedRowsOf(
  { clickhouse }: Pick<BatchWriterOptions, 'clickhouse'>,
  projectId: string,
  traceIds: readonly string[],
): Promise<Map<string, StoredRowsOfTrace>> {
  const [spansOf, scoresOf, outcomesOf] = [
    await storedSpans(clickhouse, projectId, traceIds),
    await storedScores(clickhouse, projectId, traceIds),
    await storedOutcomesOf(clickhouse, projectId, traceIds),
  ];
  const stored = new Map<string, StoredRowsOfTrace>();
  for (const traceId of traceIds) {
    const rows = {
      spans: spansOf.get(traceId) ?? [],
      scores: scoresOf.get(traceId) ?? [],
      outcomes: outcomesOf.get(traceId) ?? [],
    };
    if (rows.spans.length + rows.scores.length + rows.outcomes.length > 0) stored.set(traceId, rows);
  }
  return stored;
}

/** A version above every row, also above rows that another replica has written since. */
function versionAbove(stored: Iterable<StoredRowsOfTrace>, tags: Iterable<{ version: number }>, version: number): number {
  let above = version;
  for (const rows of stored)
    for (const row of [...rows.spans, ...rows.scores, ...rows.outcomes]) above = Math.max(above, row.version + 1);
  for (const row of tags) above = Math.max(above, row.version + 1);
  return above;
}
