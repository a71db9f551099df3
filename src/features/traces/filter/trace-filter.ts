import type { Filter } from '../../../contract/filter/ast.ts';
import type { SqlPart } from '../../../platform/clickhouse/index.ts';
import type { MemberCondition } from '../member-filters.ts';
import type { TextReading } from './text-reading.ts';
import { requiredTexts, textsOf } from './texts-of.ts';
import { Binder } from './binder.ts';
import { isOfSummary, joined, ofRow, someSpan, tracesWithText } from './span-conditions.ts';
import { summaryCondition } from './summary-conditions.ts';
import { commentedCondition, toldCondition } from './told-conditions.ts';

/** A filter of traces as SQL: conditions that must all hold. */
export interface TraceFilter {
  /** On the columns of the summary alone. */
  ofSummary: readonly SqlPart[];
  /** What needs spans, scores, comments or outcomes. */
  ofMembers: readonly MemberCondition[];
  /** The texts that it searches, and those among them that every trace must have. */
  texts: readonly string[];
  requiredTexts: readonly string[];
  /** See `asksForSource`. */
  asksForSource: boolean;
}

export const noFilter: TraceFilter = { ofSummary: [], ofMembers: [], texts: [], requiredTexts: [], asksForSource: false };

/** A filter of traces as SQL over `traces` (docs/filter.md). @param filter read with `on: 'traces'` */
export function traceFilter(filter: Filter, isForSource = false): TraceFilter {
  const terms = filter.type === 'all' ? filter.terms : [filter];
  const [ofSummary, others] = [terms.filter(isSummary), terms.filter((term) => !isSummary(term))];
  return {
    ofSummary: ofSummary.length === 0 ? [] : [conditionOf('summary', ofSummary, null)],
    ofMembers: others.length === 0 ? [] : [(among, reading = null) => conditionOf('member', others, among, reading)],
    texts: textsOf(filter),
    requiredTexts: requiredTexts(filter),
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

function conditionOf(
  prefix: string,
  terms: readonly Filter[],
  among: SqlPart | null,
  reading: TextReading | null = null,
): SqlPart {
  const binder = new Binder(prefix, among, reading);
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
      return tracesWithText(filter.text, binder);
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
