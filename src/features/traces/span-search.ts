import type { SqlPart } from '../../platform/clickhouse/index.ts';
import { Binder } from './filter/binder.ts';
import { searched } from './filter/value-conditions.ts';

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
