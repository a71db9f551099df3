import type { TraceDetail, TraceSpan } from '../../api/wire.ts';
import { readDraft } from '../../content/value-draft.ts';
import type { ValueDraft } from '../../content/value-draft.ts';

/** The source of a dataset item: a trace, or one of its spans. */
export interface ItemSource {
  traceId: string;
  spanId: string | null;
  input: unknown;
  output: unknown;
}

/** The item source for a span, or for the trace if `span` is null. */
export function itemSource({ trace }: TraceDetail, span: TraceSpan | null): ItemSource {
  return span === null
    ? { traceId: trace.traceId, spanId: null, input: trace.input, output: trace.output }
    : { traceId: trace.traceId, spanId: span.spanId, input: span.input, output: span.output };
}

/**
 * The request body for the item. The service reads input and output of the source itself. The expected output is sent only if it was
 * edited, so that an unchanged one keeps its exact digits.
 *
 * @param before the initial draft
 */
export function sourceBody(source: ItemSource, draft: ValueDraft, before: ValueDraft): { body: string } | { problem: string } {
  const { traceId, spanId } = source;
  const named = JSON.stringify({ traceId, ...(spanId === null ? {} : { spanId }) });
  if (draft.form === before.form && draft.text === before.text) return { body: `{"source":${named}}` };
  const read = readDraft(draft);
  if ('problem' in read) return read;
  return { body: read.json === null ? `{"source":${named}}` : `{"source":${named},"expectedOutput":${read.json}}` };
}
