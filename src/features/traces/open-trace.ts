import type { TraceSpan, TraceSummary } from '../../contract/traces.ts';
import type { Tenant } from '../../platform/http/index.ts';
import { idsOf, readStoredSummary, summaryOf } from './get-trace.ts';
import { headOf, ownPayloads, readOwnContents } from './own-contents.ts';
import { readSpans } from './read-spans.ts';
import { spanChunks } from './span-chunks.ts';
import { readHeaders } from './span-headers.ts';
import { fieldsWithoutPayloads, withContents } from './span-json.ts';
import { readerFor, readersFor } from './traces-context.ts';
import type { TracesContext } from './traces-context.ts';

/** A span as its trace shows it, with input and output as JSON texts; `''` for none. */
export interface SpanContents {
  fields: Omit<TraceSpan, 'input' | 'output' | 'metadata' | 'attributes'>;
  input: string;
  output: string;
  /** Whether input and output are left out because the trace is too large. */
  withoutPayloads: boolean;
}

/** A trace that is read in pieces. */
export interface OpenedTrace {
  summary: TraceSummary & { inputFrom: string | null; outputFrom: string | null };
  /** The trace's own input and output as JSON texts; `''` for none. */
  input: string;
  output: string;
  /** Ids of its spans, in tree order. */
  spanIds: string[];
  /** Whether the trace has more spans than can be read. */
  truncated: boolean;
  /** The spans in tree order. @param maxBytes of payloads; spans beyond it are without */
  spans(maxBytes: number): AsyncGenerator<SpanContents[]>;
}

/**
 * Opens a trace for reading in pieces: it is never in memory as a whole.
 *
 * @param payloads whether inputs and outputs are read
 *
 * Errors: `not_found` as of `getTrace`.
 */
export async function openTrace(
  context: Pick<TracesContext, 'clickhouse' | 'clock'>,
  tenant: Tenant,
  traceId: string,
  payloads: boolean,
): Promise<OpenedTrace> {
  const readers = readersFor(context, tenant);
  const reader = readers.whole;
  const [stored, headers] = await Promise.all([readStoredSummary(reader, traceId), readHeaders(reader, traceId, payloads)]);
  const summary = await summaryOf(readers, traceId, stored, headers);
  const own = await readOwnContents(reader, traceId, headers, payloads);
  const { input, output } = ownPayloads(own);
  return {
    summary: headOf(summary, own),
    input,
    output,
    spanIds: headers.places.map(({ spanId }) => spanId),
    truncated: headers.truncated,
    async *spans(maxBytes) {
      for (const { places, withPayloads } of spanChunks(headers.places, payloads ? maxBytes : 0)) {
        const rows = await readSpans(reader, traceId, idsOf(places), withPayloads);
        yield places.flatMap((place) => {
          const row = rows.get(place.spanId);
          // Without a row the span was deleted after the span headers were read.
          if (!row) return [];
          const span = withContents(row, rows.get(place.rules.contentFrom));
          const lacks = payloads && !withPayloads && (row.inputPreview !== '' || row.outputPreview !== '');
          return [{ fields: fieldsWithoutPayloads(span, place), input: span.input, output: span.output, withoutPayloads: lacks }];
        });
      }
    },
  };
}

/** SQL of {@link hasTrace}. */
export const hasTraceSql = `SELECT 1 AS found
FROM spans FINAL
PREWHERE trace_id = {trace:String}
LIMIT 1`;

/** Whether the project has a trace within the retention. */
export async function hasTrace(
  context: Pick<TracesContext, 'clickhouse' | 'clock'>,
  tenant: Tenant,
  traceId: string,
): Promise<boolean> {
  const rows = await readerFor(context, tenant).query<{ found: number }>(hasTraceSql, { trace: traceId });
  return rows.length > 0;
}
