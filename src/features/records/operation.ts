import type { SpanRecord } from './span.ts';

/**
 * The operation of a span: its kind for an OTLP span that names none (docs/semantics.md, "Operation of a span").
 *
 * @param kind that of the span by the rules of its trace, which may differ from the stored one
 */
export function operationIn(span: Pick<SpanRecord, 'operation' | 'source' | 'kind'>, kind: string = span.kind): string {
  return span.source === 'otlp' && (span.operation === '' || span.operation === span.kind) ? kind : span.operation;
}
