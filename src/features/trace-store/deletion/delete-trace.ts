import { reachFailpoint } from '../../../platform/failpoint/failpoint.ts';
import { TableRows } from '../../../platform/tables/index.ts';
import type { BatchWriterOptions } from '../batches/batch-writer.ts';
import { DerivedRows } from '../derivation/derived-rows.ts';
import { maxSpansOfATrace, storedOutcomes, storedScores, storedSpans, storedTags } from '../derivation/stored-headers.ts';
import { viewTrace } from '../derivation/trace-view.ts';
import type { FoundTrace } from '../pipeline-port.ts';
import { outcomes } from '../tables/outcomes.ts';
import { scores } from '../tables/scores.ts';
import { spans } from '../tables/spans.ts';
import type { SpanHeader } from '../tables/spans.ts';
import { traceTags } from '../tables/trace-tags.ts';

const maxRounds = 1_000;

/**
 * Deletes a trace with its spans, scores and outcomes (docs/semantics.md, "Deletion of a trace"). Tombstones replace its rows in every table, so that
 * reads and figures exclude it at once; `deletePayloads` deletes what they replace.
 *
 * @param version higher than that of every row of the trace
 * @param begin called before anything is written, with the version of the tombstones and what is stored
 * @returns false when the trace is not stored
 */
export async function deleteTrace(
  options: BatchWriterOptions,
  projectId: string,
  traceId: string,
  version: number,
  begin: (version: number, found: FoundTrace) => Promise<void> = () => Promise.resolve(),
): Promise<boolean> {
  await options.builder.forget(projectId, traceId);
  const begun = await options.notes?.begin();
  let found = false;
  // A look-up returns a limited number of spans; the next ones appear once tombstones hide the first.
  const more = () => deleteStored(options, { projectId, traceId, version, below: Number.POSITIVE_INFINITY, begin });
  for (let round = 0; round < maxRounds && (await more()); round++) found = true;
  if (!found) return false;
  if (begun) await options.notes?.addDeletion(projectId, [traceId], begun.beganAt);
  return true;
}

/**
 * Repeats an interrupted deletion from its beginning.
 *
 * @param version of its tombstones; rows of this version and above are newer than the deletion and stay
 */
export async function finishDeletion(
  options: BatchWriterOptions,
  projectId: string,
  traceId: string,
  version: number,
): Promise<void> {
  await options.builder.forget(projectId, traceId);
  const begun = await options.notes?.begin(false);
  const more = () => deleteStored(options, { projectId, traceId, version, below: version, begin: () => Promise.resolve() });
  for (let round = 0; round < maxRounds && (await more()); round++);
  if (begun) await options.notes?.addDeletion(projectId, [traceId], begun.beganAt);
}

interface Deletion {
  projectId: string;
  traceId: string;
  version: number;
  /** Rows of this version and above stay. */
  below: number;
  begin(version: number, found: FoundTrace): Promise<void>;
}

/** Deletes the rows that one look-up finds; false when there are none. */
async function deleteStored(
  { clickhouse, markHours, notes }: BatchWriterOptions,
  { projectId, traceId, version, below, begin }: Deletion,
): Promise<boolean> {
  const lookedUp = (await notes?.begin())?.version ?? 0;
  const allSpans = (await storedSpans(clickhouse, projectId, [traceId])).get(traceId) ?? [];
  const allScores = (await storedScores(clickhouse, projectId, [traceId])).get(traceId) ?? [];
  const staleOutcomes = await storedOutcomes(clickhouse, projectId, traceId, below);
  const tags = (await storedTags(clickhouse, projectId, [traceId])).get(traceId);
  const staleSpans = allSpans.filter((span) => span.version < below);
  const staleScores = allScores.filter((score) => score.version < below);
  const first = staleSpans[0]?.spanId ?? staleScores[0]?.scoreId ?? staleOutcomes[0]?.outcomeId;
  if (first === undefined) return false;
  // The tombstones need a version above every row, also above rows that another replica has written since.
  const staleTags = tags !== undefined && tags.version < below ? [tags] : [];
  const above = [...staleSpans, ...staleScores, ...staleOutcomes, ...staleTags].reduce(
    (highest, row) => Math.max(highest, row.version + 1),
    version,
  );
  await begin(above, await foundOf(clickhouse, projectId, traceId, staleSpans));
  // Derived rows take the time of the look-up as their version, so that those of the last look-up win.
  const derived = new DerivedRows(Math.max(above, lookedUp));
  const before = viewTrace(allSpans, allScores);
  const after = viewTrace(
    allSpans.filter((span) => span.version >= below),
    allScores.filter((score) => score.version >= below),
    staleTags.length > 0 ? undefined : tags,
  );
  derived.add(projectId, traceId, before, after);
  derived.addQuality(projectId, before.quality, after.quality);
  for (const span of staleSpans) derived.hideHeader(projectId, above, span);
  const token = `delete-${projectId}-${traceId}-${above}-${first}`;
  await markHours(derived.hours());
  for (const insert of derived.inserts(token)) {
    await clickhouse.insertRows(insert);
    reachFailpoint('deletion-derived');
  }
  const spanRows = new TableRows(spans);
  for (const span of staleSpans) spanRows.addTombstone({ projectId, version: above }, span);
  const scoreRows = new TableRows(scores);
  for (const score of staleScores) scoreRows.addTombstone({ projectId, version: above }, score);
  const outcomeRows = new TableRows(outcomes);
  for (const outcome of staleOutcomes) outcomeRows.addTombstone({ projectId, version: above }, outcome);
  const tagRows = new TableRows(traceTags);
  for (const row of staleTags) tagRows.addTombstone({ projectId, version: above }, row);
  for (const rows of [spanRows, scoreRows, outcomeRows, tagRows]) {
    for (const insert of rows.inserts(token)) await clickhouse.insertRows(insert);
  }
  reachFailpoint('deletion-written');
  await markHours(derived.hours());
  reachFailpoint('deletion-marked');
  return true;
}

/** What is stored of the trace. A look-up that is full has not seen every span. */
export async function foundOf(
  clickhouse: BatchWriterOptions['clickhouse'],
  projectId: string,
  traceId: string,
  stale: readonly SpanHeader[],
): Promise<FoundTrace> {
  const own = stale.filter(({ spanId }) => spanId !== '');
  const earliest = own.reduce<bigint | null>((first, { startNs }) => (first === null || startNs < first ? startNs : first), null);
  const startMs = earliest === null ? null : Number(earliest / 1_000_000n);
  if (stale.length < maxSpansOfATrace) return { spans: own.length, startMs };
  const reader = clickhouse.forTenant({ projectId, oldestMs: null });
  const [counted] = await reader.query<{ spans: number }>(
    "SELECT toUInt32(count()) AS spans FROM spans FINAL WHERE project_id = {project:UUID} AND trace_id = {trace:String} AND span_id != ''",
    { project: projectId, trace: traceId },
  );
  return { spans: counted?.spans ?? own.length, startMs };
}
