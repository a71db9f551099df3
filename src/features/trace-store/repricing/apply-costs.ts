import type { ClickHouse } from '../../../platform/clickhouse/index.ts';
import { reachFailpoint } from '../../../platform/failpoint/failpoint.ts';
import type { BatchBuilder } from '../batches/batch-builder.ts';
import { DerivedRows } from '../derivation/derived-rows.ts';
import { storedSpans, storedTags } from '../derivation/stored-headers.ts';
import { viewTrace } from '../derivation/trace-view.ts';
import type { TouchedHour } from '../pipeline-port.ts';
import type { TraceNotes } from '../reconciliation/trace-notes.ts';
import { spanTexts } from '../search/span-texts.ts';
import { spanHeaders } from '../tables/span-headers.ts';
import { spans } from '../tables/spans.ts';
import type { SpanHeader } from '../tables/spans.ts';
import { wholeTrace } from './plan-repricing.ts';
import type { CostChange } from './plan-repricing.ts';

export interface ApplyCostsOptions {
  clickhouse: ClickHouse;
  builder: Pick<BatchBuilder, 'forget'>;
  /** See `BatchWriterOptions.notes`. */
  notes: Pick<TraceNotes, 'begin' | 'add'> | null;
  markHours(hours: readonly TouchedHour[]): Promise<void>;
}

/** Maximum spans of one statement: their ids are parameters of it. */
const chunkSize = 250;
/** In place of the bits of a cost: the span is unpriced. No cost has these bits. */
const unpricedBits = 0xffff_ffff_ffff_ffffn;

const changed = ['version', 'cost_usd', 'cost_status'];
const key = "concat(trace_id, '/', span_id, '/', toString(version))";
const bits = `transform(${key}, {keys:Array(String)}, {bits:Array(UInt64)}, toUInt64(0))`;
const isUnpriced = `${bits} = toUInt64(${unpricedBits})`;

/**
 * Writes spans again with their new cost. The version is the next one: above the row that it replaces, and, since ingestion skips a version between requests,
 * below a later version of the span, so that neither a span that is sent again nor a repeated batch is overwritten or overwrites it. Costs are passed as bits,
 * since the engine does not read decimal digits exactly.
 */
export const rewriteCostsSql = rewriteSql(
  'spans',
  spans.layout.map(([column]) => column),
);

/** Writes their headers with the new cost too, before the spans. */
export const rewriteHeadersSql = rewriteSql(spanHeaders.table, spanHeaders.columns);

function rewriteSql(table: string, columns: readonly string[]): string {
  const kept = columns.filter((column) => !changed.includes(column));
  return `INSERT INTO ${table} (${[...kept, ...changed].join(', ')})
SELECT ${kept.map((column) => `spans.${column}`).join(', ')}, version + 1, if(${isUnpriced}, NULL, reinterpretAsFloat64(${bits})), multiIf(${isUnpriced}, 'unpriced', has({partly:Array(String)}, ${key}), 'partly_priced', 'priced')
FROM spans FINAL
WHERE project_id = {project:UUID} AND trace_id IN {traces:Array(String)} AND has({keys:Array(String)}, ${key})`;
}

const keptTexts = spanTexts.columns.filter((column) => column !== 'version');

/** Writes their texts with the next version too, before the spans. */
export const rewriteTextsSql = `INSERT INTO span_texts (${[...keptTexts, 'version'].join(', ')})
SELECT ${keptTexts.map((column) => `spans.${column}`).join(', ')}, version + 1
FROM spans FINAL
WHERE project_id = {project:UUID} AND trace_id IN {traces:Array(String)} AND has({keys:Array(String)}, ${key})`;

/**
 * Gives stored spans other costs, and derives their traces again: calls, nodes and summaries follow. The derived rows are written first, as in a batch, so
 * that a repetition after a crash finds the spans that are still to be written. A span that has another version by now is left as it is. To be called while
 * no batch is written by this process.
 *
 * @param version of derived rows: above all that are written, below all later ones
 */
export async function applyCosts(
  { clickhouse, builder, notes, markHours }: ApplyCostsOptions,
  projectId: string,
  changes: readonly CostChange[],
  version: number,
): Promise<void> {
  if (changes.length === 0) return;
  const byTrace = Map.groupBy(changes, ({ span }) => span.traceId);
  const traceIds = [...byTrace.keys()];
  for (const traceId of traceIds) await builder.forget(projectId, traceId);
  const begun = await notes?.begin();
  const stored = await storedSpans(clickhouse, projectId, traceIds);
  const tagsOf = await storedTags(clickhouse, projectId, traceIds);
  const derived = new DerivedRows(Math.max(version, begun?.version ?? 0));
  const applied: CostChange[] = [];
  for (const [traceId, ofTrace] of byTrace) {
    const found = ofTrace.map(({ span }) => span);
    const before = wholeTrace(stored.get(traceId) ?? [], found);
    const versions = new Map(before.map(({ spanId, version: of }) => [spanId, of]));
    const current = ofTrace.filter(({ span }) => versions.get(span.spanId) === span.version);
    applied.push(...current);
    derived.add(projectId, traceId, viewTrace(before, []), viewTrace(withCosts(before, current), [], tagsOf.get(traceId)));
  }
  if (applied.length === 0) return;
  const hours = derived.hours();
  await markHours(hours);
  reachFailpoint('costs-marked');
  for (const insert of derived.inserts(`reprice-${projectId}-${version}-${traceIds[0]}`)) await clickhouse.insertRows(insert);
  reachFailpoint('costs-derived');
  const reader = clickhouse.forTenant({ projectId, oldestMs: null });
  for (let at = 0; at < applied.length; at += chunkSize) {
    const { traces, keys, ...costs } = parametersOf(applied.slice(at, at + chunkSize));
    const among = { project: projectId, traces, keys };
    await reader.insertSelect(rewriteTextsSql, among);
    await reader.insertSelect(rewriteHeadersSql, { ...among, ...costs });
    await reader.insertSelect(rewriteCostsSql, { ...among, ...costs });
    reachFailpoint('costs-written');
  }
  await markHours(hours);
  if (begun) await notes?.add([{ projectId, traceIds }], begun.beganAt);
}

function withCosts(before: readonly SpanHeader[], changes: readonly CostChange[]): SpanHeader[] {
  const costs = new Map(changes.map(({ span, cost }) => [span.spanId, cost]));
  return before.map((span) => {
    const cost = costs.get(span.spanId);
    return cost === undefined ? span : { ...span, version: span.version + 1, ...cost };
  });
}

function parametersOf(changes: readonly CostChange[]) {
  const keyOf = ({ span: { traceId, spanId, version } }: CostChange) => `${traceId}/${spanId}/${version}`;
  return {
    traces: [...new Set(changes.map(({ span }) => span.traceId))],
    keys: changes.map(keyOf),
    partly: changes.filter(({ cost }) => cost.costStatus === 'partly_priced').map(keyOf),
    bits: changes.map(({ cost }) => (cost.costUsd === null ? unpricedBits : bitsOf(cost.costUsd))),
  };
}

const oneCost = new DataView(new ArrayBuffer(8));

function bitsOf(cost: number): bigint {
  oneCost.setFloat64(0, cost);
  return oneCost.getBigUint64(0);
}
