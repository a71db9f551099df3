import type { TenantReader } from '../../platform/clickhouse/index.ts';
import { readSpans } from './read-spans.ts';
import type { ReadSpan } from './read-spans.ts';
import type { SpanHeaders } from './span-headers.ts';
import { textOf, timestampOf } from './stored-text.ts';
import { toSummary } from './trace-summary.ts';
import type { SummaryRow } from './trace-summary.ts';

type Named = 'input' | 'output';

/** The trace's own record, its first root, and the calls whose contents stand for those that both lack. */
export interface OwnContents {
  record: ReadSpan | undefined;
  root: ReadSpan | undefined;
  /** The spans that hold the input and output of calls; undefined where record or root has its own. */
  ofCalls: Readonly<Record<Named, ReadSpan | undefined>>;
  /** The ids of these calls. */
  inputFrom: string | null;
  outputFrom: string | null;
}

/**
 * Reads what a trace's own input, output and metadata are taken from (docs/semantics.md, "One trace").
 *
 * @param withPayloads else the previews only
 */
export async function readOwnContents(
  reader: TenantReader,
  traceId: string,
  { places, hasRecord, contents }: SpanHeaders,
  withPayloads = true,
): Promise<OwnContents> {
  const rootId = places[0]?.spanId;
  const rows = await readSpans(
    reader,
    traceId,
    [...(hasRecord ? [''] : []), ...(rootId === undefined ? [] : [rootId])],
    withPayloads,
  );
  const record = rows.get('');
  const root = rootId === undefined ? undefined : rows.get(rootId);
  const lacks = (name: `${Named}Preview`) => !record?.[name] && !root?.[name];
  const input = lacks('inputPreview') ? contents.input : null;
  const output = lacks('outputPreview') ? contents.output : null;
  const ids = [input, output].flatMap((content) => (content === null ? [] : [content.from.spanId]));
  const calls = await readSpans(reader, traceId, [...new Set(ids)], withPayloads);
  const [inputSpan, outputSpan] = [input, output].map((content) =>
    content === null ? undefined : calls.get(content.from.spanId),
  );
  return {
    record,
    root,
    ofCalls: { input: inputSpan, output: outputSpan },
    // Without a row the span was deleted after the headers were read.
    inputFrom: inputSpan && input ? input.call.spanId : null,
    outputFrom: outputSpan && output ? output.call.spanId : null,
  };
}

/** The fields of a trace without its payloads. */
export function headOf(summary: SummaryRow, { record, ofCalls, inputFrom, outputFrom }: OwnContents) {
  const { inputPreview, outputPreview, ...fields } = toSummary(summary);
  return {
    ...fields,
    // Summaries of earlier releases lack those of calls.
    inputPreview: inputPreview ?? textOf(ofCalls.input?.inputPreview ?? ''),
    outputPreview: outputPreview ?? textOf(ofCalls.output?.outputPreview ?? ''),
    timestamp: timestampOf(record?.startNs ?? summary.start_ns),
    inputFrom,
    outputFrom,
  };
}

export const payloadNames = ['input', 'output', 'metadata'] as const;

/** A trace's own payloads as JSON texts; `''` for none. */
export function ownPayloads({ record, root, ofCalls }: OwnContents): Record<(typeof payloadNames)[number], string> {
  return {
    input: record?.input || root?.input || ofCalls.input?.input || '',
    output: record?.output || root?.output || ofCalls.output?.output || '',
    metadata: record?.metadata || root?.metadata || '',
  };
}
