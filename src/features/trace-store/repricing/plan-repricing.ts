import type { ClickHouse, TenantReader } from '../../../platform/clickhouse/index.ts';
import { priceSpan } from '../../pricing/index.ts';
import type { OwnPrices, SpanCost } from '../../pricing/index.ts';
import { maxSpansOfATrace, storedSpans } from '../derivation/stored-headers.ts';
import { viewTrace } from '../derivation/trace-view.ts';
import { spans } from '../tables/spans.ts';
import type { SpanHeader } from '../tables/spans.ts';

/** The spans that a repricing prices anew. */
export interface RepricedRange {
  projectId: string;
  /** Start times, epoch milliseconds; the end is exclusive. */
  fromMs: number;
  beforeMs: number;
  /** Response or requested models; null: all. */
  models: readonly string[] | null;
  ownPrices: OwnPrices;
}

/** A place in the order of trace id, then span id. */
export interface SpanPosition {
  traceId: string;
  spanId: string;
}

/** A span with another cost than the stored one. */
export interface CostChange {
  /** The span as stored, with the earlier cost. */
  span: SpanHeader;
  cost: SpanCost;
}

export interface RepricingFigures {
  /** Spans of the range. */
  spans: number;
  changed: number;
  /** US dollars of the calls among them, as figures count them. */
  costBefore: number;
  costAfter: number;
}

/** The spans after a position, as many as one page may have. */
export interface RepricingPage {
  /** Its last span. */
  end: SpanPosition;
  isLast: boolean;
  changes: CostChange[];
  figures: RepricingFigures;
}

export interface PageLimits {
  /** Spans of a page that are priced. */
  maxSpans: number;
  /** Spans of the traces of a page, unless a single trace has more. */
  maxSpansOfTraces: number;
  /** Stored rows among which the spans of a page are searched: without a bound each page would read the rest of the table. */
  maxRows: number;
}

const defaultLimits: PageLimits = { maxSpans: 1_000, maxSpansOfTraces: 20_000, maxRows: 8_000 };
/** After every id of a span, whose characters are letters, digits and `._:-`. */
const afterAllSpans = '~';

/** The trace up to which a page searches; none at the end of the table. Without FINAL, so that the engine reads in order and stops. */
export const lastTraceSql = `SELECT trace_id AS traceId FROM spans WHERE project_id = {project:UUID} AND trace_id >= {traceId:String} AND (trace_id > {traceId:String} OR span_id > {spanId:String})
ORDER BY project_id, trace_id LIMIT 1 OFFSET {offset:UInt32}`;

const inRange = `project_id = {project:UUID} AND start_time >= fromUnixTimestamp64Milli({fromMs:Int64}) AND start_time < fromUnixTimestamp64Milli({beforeMs:Int64})
  AND cost_status != 'provided' AND span_id != '' AND (model != '' OR request_model != '')
  AND (empty({models:Array(String)}) OR has({models:Array(String)}, toString(model)) OR has({models:Array(String)}, toString(request_model)))
  AND trace_id >= {traceId:String} AND (trace_id > {traceId:String} OR span_id > {spanId:String})
  AND (empty({lastTraceId:String}) OR trace_id <= {lastTraceId:String})`;

/** The spans of a page in order. */
export const repricedSpansSql = `SELECT ${spans.headerSelection}, toString(request_model) AS requested FROM spans FINAL
WHERE ${inRange} ORDER BY trace_id, span_id LIMIT {limit:UInt32}`;

/** The number of spans of each trace of a page, whether they are priced or not. */
export const spansOfTracesSql = `SELECT trace_id AS traceId, count() AS spanCount FROM spans FINAL
WHERE project_id = {project:UUID} AND trace_id IN {traces:Array(String)} GROUP BY trace_id`;

/**
 * Prices the spans after `after` anew, in memory (docs/semantics.md, "Repricing"): their new costs, and the figures before and after.
 *
 * @param upTo the last span that the page may have; null: of the range
 */
export async function planRepricing(
  clickhouse: Pick<ClickHouse, 'forTenant'>,
  range: RepricedRange,
  after: SpanPosition,
  upTo: SpanPosition | null = null,
  limits: PageLimits = defaultLimits,
): Promise<RepricingPage> {
  const { projectId, fromMs, beforeMs } = range;
  const reader = clickhouse.forTenant({ projectId, oldestMs: null });
  const project = { project: projectId };
  const [last] = await reader.query<{ traceId: string }>(lastTraceSql, { ...project, ...after, offset: limits.maxRows });
  const searched = {
    fromMs,
    beforeMs,
    models: range.models ?? [],
    ...after,
    lastTraceId: last?.traceId ?? '',
    limit: limits.maxSpans,
  };
  const rows = await reader.query<Record<string, unknown>>(repricedSpansSql, { ...project, ...searched });
  const found = rows
    .map((row) => ({ header: spans.parse(projectId, row), requestModel: String(row['requested']) }))
    .filter(({ header }) => upTo === null || !isAfter(header, upTo));
  const page = withinLimit(found, await spanCounts(reader, projectId, found), limits.maxSpansOfTraces);
  const stored = await storedSpans(clickhouse, projectId, traceIdsOf(page));
  const isWhole = page.length === found.length && found.length < limits.maxSpans;
  const beyondUpTo = upTo !== null && last !== undefined && isAfter({ ...last, spanId: afterAllSpans }, upTo);
  const isLast = isWhole && (last === undefined || beyondUpTo || found.length < rows.length);
  const { traceId, spanId } = page.at(-1)?.header ?? after;
  const end = isWhole && last !== undefined ? { ...last, spanId: afterAllSpans } : { traceId, spanId };
  return { end, isLast, ...priceAnew(page, stored, range.ownPrices) };
}

async function spanCounts(
  reader: TenantReader,
  projectId: string,
  page: readonly FoundSpan[],
): Promise<ReadonlyMap<string, number>> {
  const parameters = { project: projectId, traces: traceIdsOf(page) };
  const rows = await reader.query<{ traceId: string; spanCount: number }>(spansOfTracesSql, parameters);
  return new Map(rows.map(({ traceId, spanCount }) => [traceId, spanCount]));
}

interface FoundSpan {
  header: SpanHeader;
  requestModel: string;
}

function isAfter(span: SpanPosition, end: SpanPosition): boolean {
  // Ids are ASCII, so that code units and the engine's bytes have one order.
  return span.traceId === end.traceId ? span.spanId > end.spanId : span.traceId > end.traceId;
}

function traceIdsOf(page: readonly FoundSpan[]): string[] {
  return [...new Set(page.map(({ header }) => header.traceId))];
}

/** The first traces of a page, as many as may be in memory at once. */
function withinLimit(
  page: readonly FoundSpan[],
  spansOf: ReadonlyMap<string, number>,
  maxSpansOfTraces: number,
): readonly FoundSpan[] {
  let held = 0;
  let traceId = '';
  const end = page.findIndex(({ header }) => {
    if (header.traceId === traceId) return false;
    held += spansOf.get(header.traceId) ?? 0;
    const isFirst = traceId === '';
    traceId = header.traceId;
    return !isFirst && held > maxSpansOfTraces;
  });
  return end === -1 ? page : page.slice(0, end);
}

function priceAnew(page: readonly FoundSpan[], stored: ReadonlyMap<string, readonly SpanHeader[]>, ownPrices: OwnPrices) {
  const changes: CostChange[] = [];
  const before: number[] = [];
  const after: number[] = [];
  for (const [traceId, ofTrace] of Map.groupBy(page, ({ header }) => header.traceId)) {
    const headers = ofTrace.map(({ header }) => header);
    const { calls } = viewTrace(wholeTrace(stored.get(traceId) ?? [], headers), []);
    for (const { header, requestModel } of ofTrace) {
      const cost = costOf(header, requestModel, ownPrices);
      if (calls.has(header.spanId)) {
        before.push(header.costUsd ?? 0);
        after.push(cost.costUsd ?? 0);
      }
      if (cost.costUsd === header.costUsd && cost.costStatus === header.costStatus) continue;
      changes.push({ span: header, cost });
    }
  }
  const figures = { spans: page.length, changed: changes.length, costBefore: sumOf(before), costAfter: sumOf(after) };
  return { changes, figures };
}

/** The sum without the rounding of each addition (Neumaier), as figures are summed. */
function sumOf(costs: readonly number[]): number {
  let sum = 0;
  let lost = 0;
  for (const cost of costs) {
    const next = sum + cost;
    lost += sum >= cost ? sum - next + cost : cost - next + sum;
    sum = next;
  }
  return sum + lost;
}

/**
 * The spans of a trace, with those that a look-up leaves out because the trace is too long.
 *
 * @param stored of the look-up
 * @param found some spans of the trace
 */
export function wholeTrace(stored: readonly SpanHeader[], found: readonly SpanHeader[]): readonly SpanHeader[] {
  if (stored.length < maxSpansOfATrace) return stored;
  const known = new Set(stored.map(({ spanId }) => spanId));
  return [...stored, ...found.filter(({ spanId }) => !known.has(spanId))];
}

function costOf(header: SpanHeader, requestModel: string, ownPrices: OwnPrices): SpanCost {
  const startMs = Number(header.startNs) / 1e6;
  return priceSpan({ ...header, requestModel, startMs, providedCostUsd: null, failed: header.error }, ownPrices);
}
