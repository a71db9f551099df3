import { Readable } from 'node:stream';
import { ServiceError } from '../../contract/errors.ts';
import type { Score } from '../../contract/traces.ts';
import type { TenantReader } from '../../platform/clickhouse/index.ts';
import type { Tenant } from '../../platform/http/index.ts';
import { scoresOfTrace } from './scores.ts';
import { spanChunks } from './span-chunks.ts';
import type { SpanChunk } from './span-chunks.ts';
import { spanJson, withPayloads } from './span-json.ts';
import { readHeader } from './span-headers.ts';
import { readSpans } from './span-row.ts';
import type { SpanRow } from './span-row.ts';
import { timestampOf } from './stored-text.ts';
import { summaryColumns, toSummary } from './trace-summary.ts';
import type { SummaryRow } from './trace-summary.ts';
import { readerFor } from './traces-context.ts';
import type { TracesContext } from './traces-context.ts';

export const traceSql = `SELECT ${summaryColumns}
FROM traces FINAL
WHERE trace_id = {trace:String}
ORDER BY start_time DESC
LIMIT 1`;

/**
 * One trace with its spans in tree order, its scores and its outcomes (docs/semantics.md, "One trace"), as a stream of JSON text: a large
 * trace is read and sent in chunks, so that it is never in memory as a whole.
 *
 * Errors: `not_found` for a trace that the project does not have, or that is older than the retention edge; thrown before the stream starts.
 */
export async function getTrace(context: TracesContext, tenant: Tenant, traceId: string): Promise<Readable> {
  const reader = readerFor(context, tenant);
  const [summaries, outline, { scores, truncated }] = await Promise.all([
    reader.query<SummaryRow>(traceSql, { trace: traceId }),
    readHeader(reader, traceId),
    scoresOfTrace(reader, traceId),
  ]);
  const summary = summaries[0];
  // A batch writes the summary before the spans. Until the spans are stored, the trace is not found.
  if (!summary || (outline.places.length === 0 && !outline.hasRecord)) throw noTrace();
  const chunks = spanChunks(outline.places);
  const root = outline.places[0]?.spanId;
  const own = await readSpans(reader, traceId, [...(outline.hasRecord ? [''] : []), ...(root === undefined ? [] : [root])]);
  const head = traceJson(summary, own.get(''), root === undefined ? undefined : own.get(root));
  const cut = truncated || outline.truncated || chunks.some((chunk) => !chunk.withPayloads);
  const pieces = detailJson(reader, traceId, { head, chunks, scores, truncated: cut });
  // Reads the first chunk now: most errors occur here, while an error status can still be sent.
  const first = await pieces.next();
  return Readable.from(resumed(first, pieces));
}

export function noTrace(): ServiceError {
  return new ServiceError(
    'not_found',
    'There is no such trace in this project; check its id, or list the traces that there are.',
  );
}

async function* resumed(first: IteratorResult<string>, rest: AsyncGenerator<string>): AsyncGenerator<string> {
  if (first.done !== true) yield first.value;
  yield* rest;
}

/** The trace's fields: those of its own record, else of its first root. */
function traceJson(summary: SummaryRow, record: SpanRow | undefined, root: SpanRow | undefined): string {
  const fields = { ...toSummary(summary), timestamp: timestampOf(record?.start_ns ?? summary.start_ns) };
  const payloads = {
    input: record?.input || root?.input || '',
    output: record?.output || root?.output || '',
    metadata: record?.metadata || root?.metadata || '',
  };
  return withPayloads(fields, payloads, ['input', 'output', 'metadata']);
}

interface Detail {
  head: string;
  chunks: readonly SpanChunk[];
  scores: readonly Score[];
  truncated: boolean;
}

async function* detailJson(
  reader: TenantReader,
  traceId: string,
  { head, chunks, scores, truncated }: Detail,
): AsyncGenerator<string> {
  let text = `{"trace":${head},"spans":[`;
  let separator = '';
  for (const chunk of chunks) {
    const spanIds = chunk.places.map((place) => place.spanId);
    const rows = await readSpans(reader, traceId, spanIds, chunk.withPayloads);
    for (const place of chunk.places) {
      const row = rows.get(place.spanId);
      // The span was deleted after the span headers were read.
      if (!row) continue;
      text += separator + spanJson(row, place);
      separator = ',';
    }
    yield text;
    text = '';
  }
  yield `${text}],"scores":${JSON.stringify(scores)},"outcomes":[]${truncated ? ',"truncated":true' : ''}}`;
}
