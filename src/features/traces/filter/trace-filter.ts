import type { Filter } from '../../../contract/filter/ast.ts';
import { indented } from '../../../platform/clickhouse/index.ts';
import type { SqlPart } from '../../../platform/clickhouse/index.ts';
import { Binder } from './binder.ts';
import { isOfSummary, joined, ofRow, ofSpan } from './span-conditions.ts';
import { summaryCondition } from './summary-conditions.ts';
import { toldCondition } from './told-conditions.ts';

/** A filter of traces as SQL, in two parts that must both hold. */
export interface TraceFilter {
  /** On the columns of the summary alone; null where there is nothing of that kind. */
  summary: SqlPart | null;
  /**
   * What needs spans, scores or outcomes; null where nothing does.
   *
   * @param among a SELECT of trace ids: only their rows are read. null reads all rows
   */
  members: ((among: SqlPart | null) => SqlPart) | null;
}

export const noFilter: TraceFilter = { summary: null, members: null };

/** A filter of traces as SQL over `traces` (docs/filter.md). @param filter read with `on: 'traces'` */
export function traceFilter(filter: Filter): TraceFilter {
  const terms = filter.type === 'all' ? filter.terms : [filter];
  const [ofSummary, others] = [terms.filter(isSummary), terms.filter((term) => !isSummary(term))];
  return {
    summary: ofSummary.length === 0 ? null : conditionOf('summary', ofSummary, null),
    members: others.length === 0 ? null : (among) => conditionOf('member', others, among),
  };
}

function isSummary(filter: Filter): boolean {
  switch (filter.type) {
    case 'all':
    case 'some':
      return filter.terms.every(isSummary);
    case 'not':
      return isSummary(filter.term);
    case 'field':
      return isOfSummary(filter.field.name);
    default:
      return false;
  }
}

function conditionOf(prefix: string, terms: readonly Filter[], among: SqlPart | null): SqlPart {
  const binder = new Binder(prefix);
  const { text, parameters } = binder.part(joined('all', terms, (term) => condition(term, among, binder)));
  return { text, parameters: { ...parameters, ...among?.parameters } };
}

function condition(filter: Filter, among: SqlPart | null, binder: Binder): string {
  switch (filter.type) {
    case 'all':
    case 'some':
      return joined(filter.type, filter.terms, (term) => condition(term, among, binder));
    case 'not':
      return `NOT (${condition(filter.term, among, binder)})`;
    case 'any':
      return inRows('spans', ofSpan(filter.term, binder), among);
    case 'none':
      return `NOT (${inRows('spans', ofSpan(filter.term, binder), among)})`;
    case 'text':
      return inRows('spans', ofRow(filter, binder), among);
    case 'field': {
      const ofSummary = summaryCondition(filter, binder);
      if (ofSummary !== null) return ofSummary;
      const told = toldCondition(filter, binder);
      return told ? inRows(told.table, told.condition, among) : inRows('spans', ofRow(filter, binder), among);
    }
  }
}

function inRows(table: 'spans' | 'scores' | 'outcomes', condition: string, among: SqlPart | null): string {
  // `outcomes` is sorted by its own ids.
  const prewhere =
    among === null || table === 'outcomes' ? '' : `\n    PREWHERE trace_id GLOBAL IN (\n      ${indented(among.text, 6)}\n    )`;
  return `trace_id GLOBAL IN (
    SELECT trace_id FROM ${table} FINAL${prewhere}
    WHERE ${condition}
  )`;
}
