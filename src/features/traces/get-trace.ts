import type { Readable } from 'node:stream';
import { ServiceError } from '../../contract/errors.ts';
import type { TracePayloads } from '../../contract/traces.ts';
import type { TenantReader } from '../../platform/clickhouse/index.ts';
import type { Tenant } from '../../platform/http/index.ts';
import { jsonList } from '../../platform/json/index.ts';
import { headOf, ownPayloads, payloadNames, readOwnContents } from './own-contents.ts';
import { readRemaining } from './partly-expired.ts';
import { scoresOfTrace } from './scores.ts';
import { spanChunks } from './span-chunks.ts';
import type { SpanChunk } from './span-chunks.ts';
import { spanJson, spanOutlineJson, withContents, withPayloads } from './span-json.ts';
import { readHeaders, readSizes } from './span-headers.ts';
import type { SpanHeaders, SpanPlace } from './span-headers.ts';
import { readSpans } from './read-spans.ts';
import type { ReadSpan } from './read-spans.ts';
import { summaryColumns } from './trace-summary.ts';
import type { SummaryRow } from './trace-summary.ts';
import { readerFor, readersFor } from './traces-context.ts';
import type { RetainedReaders, TracesContext } from './traces-context.ts';

export const traceSql = `SELECT ${summaryColumns}
FROM traces FINAL
WHERE trace_id = {trace:String}
ORDER BY start_time DESC
LIMIT 1`;

/**
 * One trace with its spans in tree order, its scores and its outcomes (docs/semantics.md, "One trace"), as a stream of JSON text: a large
 * trace is read and sent in chunks, so that it is never in memory as a whole.
 *
 * Errors: `not_found` for a trace that the project does not have, or of which all records are older than the retention edge; thrown before the stream starts.
 */
export async function getTrace(
  context: TracesContext,
  tenant: Tenant,
  traceId: string,
  payloads: TracePayloads = 'full',
): Promise<Readable> {
  const readers = readersFor(context, tenant);
  const reader = readers.whole;
  const isFull = payloads === 'full';
  const [stored, headers, { scores, truncated }, reported] = await Promise.all([
    readStoredSummary(reader, traceId),
    readHeaders(reader, traceId, isFull),
    scoresOfTrace(reader, traceId),
    context.outcomesOfTrace(reader, traceId),
  ]);
  const summary = await summaryOf(readers, traceId, stored, headers);
  const chunks = isFull ? spanChunks(headers.places) : spanChunks(headers.places, 0);
  const own = await readOwnContents(reader, traceId, headers, isFull);
  const head = isFull ? withPayloads(headOf(summary, own), ownPayloads(own), payloadNames) : JSON.stringify(headOf(summary, own));
  const cut = truncated || reported.truncated || headers.truncated || (isFull && chunks.some((chunk) => !chunk.withPayloads));
  const toJson: SpanWriter = isFull ? spanJson : (row, place) => spanOutlineJson(row, place, payloads === 'preview');
  const opening = `{"trace":${head},"spans":[`;
  const end = `],"scores":${JSON.stringify(scores)},"outcomes":${JSON.stringify(reported.outcomes)}${cut ? ',"truncated":true' : ''}}`;
  return jsonList(opening, spansJson(reader, traceId, chunks, toJson), () => end);
}

export function noTrace(): ServiceError {
  return new ServiceError(
    'not_found',
    'There is no such trace in this project; check its id, or list the traces that there are.',
  );
}

/** The stored summary of a trace; undefined for an unknown one, and for one that is partly expired. */
export async function readStoredSummary(reader: TenantReader, traceId: string): Promise<SummaryRow | undefined> {
  const [summary] = await reader.query<SummaryRow>(traceSql, { trace: traceId });
  return summary;
}

/**
 * The summary of a trace: as it is stored, else of its remaining records.
 *
 * Errors: `not_found` for a trace without rows.
 */
export async function summaryOf(
  readers: RetainedReaders,
  traceId: string,
  stored: SummaryRow | undefined,
  { places, hasRecord }: SpanHeaders,
): Promise<SummaryRow> {
  // A batch writes the summary before the spans. Until the spans are stored, the trace is not found.
  if (places.length === 0 && !hasRecord) throw noTrace();
  const [summary] = stored ? [stored] : await readRemaining<SummaryRow>(readers, [traceId], summaryColumns);
  if (!summary) throw noTrace();
  return summary;
}

/**
 * The trace's own input, output and metadata as JSON text (docs/semantics.md, "One trace").
 *
 * Errors: `not_found` for a trace that the project does not have, or of which all records are older than the retention edge.
 */
export async function getTracePayloads(context: TracesContext, tenant: Tenant, traceId: string): Promise<string> {
  const reader = readerFor(context, tenant);
  const headers = await readHeaders(reader, traceId, false);
  if (headers.places.length === 0 && !headers.hasRecord) throw noTrace();
  const own = ownPayloads(await readOwnContents(reader, traceId, headers));
  return `{${payloadNames.map((name) => `"${name}":${own[name] || 'null'}`).join(',')}}`;
}

/** Maximum size of the payloads after the first span in an answer of {@link getSpans}. */
const furtherBytes = 4_000_000;

/**
 * Some spans of a trace with their payloads (docs/semantics.md, "One trace"), as a stream of JSON text. The first has its payloads whatever
 * their size, the others as far as they fit.
 *
 * Errors: `not_found` for a trace that the project does not have, or of which all records are older than the retention edge.
 */
export async function getSpans(
  context: TracesContext,
  tenant: Tenant,
  traceId: string,
  spanIds: readonly string[],
): Promise<Readable> {
  const reader = readerFor(context, tenant);
  const [headers, sizes] = await Promise.all([readHeaders(reader, traceId, false), readSizes(reader, traceId, spanIds)]);
  if (headers.places.length === 0 && !headers.hasRecord) throw noTrace();
  const wanted = new Set(spanIds);
  const places = headers.places
    .filter(({ spanId }) => wanted.has(spanId))
    .map((place) => ({ ...place, bytes: sizes.get(place.spanId) ?? 0 }));
  const chunks = spanChunks(places, furtherBytes + (sizes.get(places[0]?.spanId ?? '') ?? 0));
  const truncated = chunks.some((chunk) => !chunk.withPayloads);
  return jsonList('{"spans":[', spansJson(reader, traceId, chunks, spanJson), () => (truncated ? '],"truncated":true}' : ']}'));
}

type SpanWriter = (row: ReadSpan, place: SpanPlace) => string;

/** The spans of each chunk as JSON texts. */
async function* spansJson(
  reader: TenantReader,
  traceId: string,
  chunks: readonly SpanChunk[],
  toJson: SpanWriter,
): AsyncGenerator<string[]> {
  for (const chunk of chunks) {
    const rows = await readSpans(reader, traceId, idsOf(chunk.places), chunk.withPayloads);
    yield chunk.places.flatMap((place) => {
      const row = rows.get(place.spanId);
      // Without a row the span was deleted after the span headers were read.
      return row ? [toJson(withContents(row, rows.get(place.rules.contentFrom)), place)] : [];
    });
  }
}

/** The ids of spans, and of those whose contents they show. */
export function idsOf(places: readonly SpanPlace[]): string[] {
  return [
    ...new Set(places.flatMap(({ spanId, rules: { contentFrom } }) => (contentFrom === '' ? [spanId] : [spanId, contentFrom]))),
  ];
}
