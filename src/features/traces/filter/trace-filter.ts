import type { Filter } from '../../../contract/filter/ast.ts';
import type { SqlPart } from '../../../platform/clickhouse/index.ts';
import type { MemberCondition } from '../member-filters.ts';
import { Binder } from './binder.ts';
import { isOfSummary, joined, ofRow, someSpan } from './span-conditions.ts';
import { summaryCondition } from './summary-conditions.ts';
import { commentedCondition, toldCondition } from './told-conditions.ts';

/** A filter of traces as SQL: conditions that must all hold. */
export interface TraceFilter {
  /** On the columns of the summary alone. */
  ofSummary: readonly SqlPart[];
  /** What needs spans, scores, comments or outcomes. */
  ofMembers: readonly MemberCondition[];
  /** See `asksForSource`. */
  asksForSource: boolean;
}

export const noFilter: TraceFilter = { ofSummary: [], ofMembers: [], asksForSource: false };

/** A filter of traces as SQL over `traces` (docs/filter.md). @param filter read with `on: 'traces'` */
export function traceFilter(filter: Filter, isForSource = false): TraceFilter {
  const terms = filter.type === 'all' ? filter.terms : [filter];
  const [ofSummary, others] = [terms.filter(isSummary), terms.filter((term) => !isSummary(term))];
  return {
    ofSummary: ofSummary.length === 0 ? [] : [conditionOf('summary', ofSummary, null)],
    ofMembers: others.length === 0 ? [] : [(among) => conditionOf('member', others, among)],
    asksForSource: isForSource,
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
  const binder = new Binder(prefix, among);
  return binder.part(joined('all', terms, (term) => condition(term, binder)));
}

function condition(filter: Filter, binder: Binder): string {
  switch (filter.type) {
    case 'all':
    case 'some':
      return joined(filter.type, filter.terms, (term) => condition(term, binder));
    case 'not':
      return `NOT (${condition(filter.term, binder)})`;
    case 'any':
    case 'none':
      return someSpan(filter, binder);
    case 'text':
      return binder.tracesWith('spans', ofRow(filter, binder));
    case 'field': {
      const ofSummary = summaryCondition(filter, binder);
      if (ofSummary !== null) return ofSummary;
      const commented = commentedCondition(filter, () => binder.tracesWith('comments', '1'));
      if (commented !== null) return commented;
      const told = toldCondition(filter, binder);
      return told ? binder.tracesWith(told.table, told.condition) : binder.tracesWith('spans', ofRow(filter, binder));
    }
  }
}
