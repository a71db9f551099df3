import type { Filter } from '../../../contract/filter/ast.ts';
import type { SearchPort } from '../../trace-store/index.ts';
import type { TextReading } from '../filter/text-reading.ts';

/** The tables with a row for each span: `spans` has all of it and is sorted by trace, `span_headers` has no payloads and is sorted by time (ADR 0033). */
export type SpanTable = 'spans' | 'span_headers';

/** The fields of a span that are read from its payloads. */
const ofPayloads: ReadonlySet<string> = new Set(['input', 'output', 'metadata.', 'attribute.', 'guardrail', 'guardrail.action']);

/** Whether `span_headers` has a field of a span. */
export function isOfHeaders(name: string): boolean {
  return !ofPayloads.has(name);
}

/**
 * The table from which the spans are read that meet a filter: `span_headers` where it has what the filter asks for, and a row of every span of the project.
 *
 * @param reading how the filter's texts are searched; null: in the payloads
 */
export async function tableOfSpans(
  search: SearchPort,
  projectId: string,
  filter: Filter | null,
  reading: TextReading | null,
): Promise<SpanTable> {
  if (filter !== null && !asksForHeaders(filter, reading !== null)) return 'spans';
  return (await search.isWhole(projectId)) ? 'span_headers' : 'spans';
}

/** Whether a filter asks a span for nothing but its header. Of the other spans of its trace it may ask for anything. */
function asksForHeaders(filter: Filter, hasTexts: boolean): boolean {
  switch (filter.type) {
    case 'all':
    case 'some':
      return filter.terms.every((term) => asksForHeaders(term, hasTexts));
    case 'not':
      return asksForHeaders(filter.term, hasTexts);
    case 'any':
    case 'none':
      return true;
    case 'text':
      return hasTexts;
    case 'field':
      return isOfHeaders(filter.field.name);
  }
}
