import type { TraceDetail, TraceSpan } from '../../api/wire.ts';
import { readDraft } from '../../content/value-draft.ts';
import type { ValueDraft } from '../../content/value-draft.ts';

/** What an item is made of: the whole trace, or one of its spans. */
export interface ItemSource {
  traceId: string;
  spanId: string | null;
  input: unknown;
  output: unknown;
}

/** The trace, or the span, as the source of an item. */
export function itemSource({ trace }: TraceDetail, span: TraceSpan | null): ItemSource {
  return span === null
    ? { traceId: trace.traceId, spanId: null, input: trace.input, output: trace.output }
    : { traceId: trace.traceId, spanId: span.spanId, input: span.input, output: span.output };
}

/**
 * The body that makes the item. The service reads input and output of the source itself; the expected output goes along only where it was
 * changed, so that one that was not stays exactly as it was recorded.
 *
 * @param before what the draft was when it was opened
 */
export function sourceBody(source: ItemSource, draft: ValueDraft, before: ValueDraft): { body: string } | { problem: string } {
  const { traceId, spanId } = source;
  const named = JSON.stringify({ traceId, ...(spanId === null ? {} : { spanId }) });
  if (draft.form === before.form && draft.text === before.text) return { body: `{"source":${named}}` };
  const read = readDraft(draft);
  if ('problem' in read) return read;
  return { body: read.json === null ? `{"source":${named}}` : `{"source":${named},"expectedOutput":${read.json}}` };
}
