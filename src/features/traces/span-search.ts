import type { SqlPart } from '../../platform/clickhouse/index.ts';
import { Binder } from './filter/binder.ts';
import { tracesWithText } from './filter/span-conditions.ts';
import { searched } from './filter/value-conditions.ts';
import type { TextReading } from './filter/text-reading.ts';

/**
 * The condition that a span of the trace contains a text in its name, error, input or output, or that the text, without the spaces around it, is the
 * beginning of its id or its trace's, all case-insensitively.
 *
 * @param among a SELECT of trace ids; only their spans are read
 */
export function spanSearch(q: string, among: SqlPart): SqlPart {
  const binder = new Binder('search', among);
  const id = q.trim().toLowerCase();
  const beginnings =
    id === '' ? [] : ['trace_id', 'span_id'].map((column) => `startsWith(lower(${column}), ${binder.bind(id, 'String')})`);
  return binder.part(binder.tracesWith('spans', [...searched(q, binder), ...beginnings].join('\n      OR ')));
}

/**
 * The same condition by the texts in `span_texts`.
 *
 * @param among traces whose ids of spans are searched. null: all, looked up among all stored rows first, which takes a part of the time of the latest ones
 */
export function storedSearch(q: string, reading: TextReading, among: SqlPart | null): SqlPart {
  const binder = new Binder('search', among, reading);
  const found = tracesWithText(q, binder);
  const id = q.trim().toLowerCase();
  if (id === '') return binder.part(found);
  const begins = (column: string) => `startsWith(lower(${column}), ${binder.bind(id, 'String')})`;
  const ofSpan = begins('span_id');
  if (among !== null) return binder.part(`(${found}\n  OR ${begins('trace_id')}\n  OR ${binder.tracesWith('spans', ofSpan)})`);
  return binder.part(`(${found}
  OR ${begins('trace_id')}
  OR trace_id GLOBAL IN (
    SELECT trace_id FROM spans FINAL
    PREWHERE trace_id GLOBAL IN (SELECT trace_id FROM spans WHERE ${ofSpan})
    WHERE ${ofSpan}
  ))`);
}
