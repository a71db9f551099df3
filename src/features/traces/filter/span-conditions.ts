import type { FieldTerm, Filter } from '../../../contract/filter/ast.ts';
import { attributesSql, restoredAttributesSql, shortestCopy } from '../../trace-store/index.ts';
import type { Binder } from './binder.ts';
import { rowContains } from './text-rows.ts';
import { inheritedTexts, ownAgent, spanNumbers, spanTexts, triggeredGuardrails } from './span-values.ts';
import { summaryCondition, summaryConditions } from './summary-conditions.ts';
import { commentedCondition, toldCondition } from './told-conditions.ts';
import {
  booleanCondition,
  keyedCondition,
  listCondition,
  momentCondition,
  numberCondition,
  ofFields,
  searched,
  textCondition,
  withinCondition,
} from './value-conditions.ts';

type Condition = (term: FieldTerm, binder: Binder) => string;
const text =
  (expression: string): Condition =>
  ({ values }, binder) =>
    textCondition(expression, values, binder);
const number =
  (expression: string): Condition =>
  ({ values }, binder) =>
    numberCondition(expression, values, binder);

/** A field that a span has of its trace where it has none of its own: applications set it on the root alone. */
const orOfTrace =
  (own: Condition, isAbsent: string): Condition =>
  (term, binder) =>
    binder.given.has(term.field.name)
      ? own(term, binder)
      : `(${own(term, binder)} OR (${isAbsent} AND ${inTraces(term, binder)}))`;
const textOrOfTrace = (column: string) => orOfTrace(text(column), `${column} = ''`);

/** Conditions on a row of `spans`, by the name of the field. */
const ofSpans: Readonly<Record<string, Condition>> = {
  ...ofFields(spanTexts, text),
  ...ofFields(spanNumbers, number),
  ...ofFields(inheritedTexts, textOrOfTrace),
  agent: (term, binder) => {
    const named = (table: 'calls' | 'span_agents') => binder.rows('trace_id, span_id', table, text('agent_name')(term, binder));
    return `(${text(ownAgent)(term, binder)} OR (${ownAgent} = '' AND (trace_id, span_id) GLOBAL IN (${named('span_agents')} UNION ALL ${named('calls')})))`;
  },
  tag: orOfTrace(({ values }, binder) => listCondition('tags', values, binder), 'empty(tags)'),
  unpriced: ({ values }, binder) =>
    booleanCondition(
      `(cost_status IN ('unpriced', 'partly_priced') AND (trace_id, span_id) GLOBAL IN (${binder.rows('trace_id, span_id', 'calls', '1')}))`,
      values,
    ),
  started: ({ values }, binder) => momentCondition('start_time', values, binder),
  error: ({ values }, binder) => withinCondition('error_message', values, binder, false),
  promptVersion: number('toFloat64OrNull(toString(prompt_version))'),
  input: ({ values }, binder) => withinCondition('input', values, binder, true),
  output: ({ values }, binder) => withinCondition('output', values, binder, true),
  trace: text('trace_id'),
  span: text('span_id'),
  'metadata.': ({ path, values }, binder) => keyedCondition('metadata', path, values, binder),
  'attribute.': ({ path, values }, binder) => keyedCondition(attributesFor(values), path, values, binder),
  guardrail: ({ values }, binder) => listCondition(triggeredGuardrails, values, binder),
};

/** SQL of the attributes in which values are looked for. The input and output are read where a value can be within a copy of them alone. */
function attributesFor(values: FieldTerm['values']): string {
  const mayBeOfCopy = values?.some(
    (value) => value.type === 'text' && (value.match !== 'whole' || value.text.length >= shortestCopy),
  );
  return mayBeOfCopy ? restoredAttributesSql : attributesSql;
}

/** What the trace's own record has too. */
const ofOwnRecord = new Set(['input', 'output', 'metadata.', 'trace']);

/** That the span's trace meets a term. */
function inTraces(term: FieldTerm, binder: Binder): string {
  return binder.inTraces(summaryCondition(term, binder) ?? '0');
}

/**
 * The condition that a row of `spans` meets a filter on spans. Rows with `span_id` `''` are the traces' own records: they meet only what is theirs too.
 *
 * @param filter read with `on: 'spans'`
 */
export function spanCondition(filter: Filter, binder: Binder): string {
  switch (filter.type) {
    case 'all':
    case 'some':
      return joined(filter.type, filter.terms, (term) => spanCondition(term, binder));
    case 'not':
      return `NOT (${spanCondition(filter.term, binder)})`;
    case 'any':
    case 'none':
      return someSpan(filter, binder);
    case 'text':
      return containsText(filter.text, binder);
    case 'field':
      return fieldCondition(filter, binder);
  }
}

/** The condition that a row of `spans` contains a text: by the texts of its version where they are read. */
export function containsText(text: string, binder: Binder): string {
  if (binder.reading === null) return `(${searched(text, binder).join(' OR ')})`;
  const { within, hasWords } = binder.reading;
  const where = [...(within === null ? [] : [within.text]), rowContains(text, binder, hasWords)].join(' AND ');
  return `(trace_id, span_id, version) GLOBAL IN (SELECT trace_id, span_id, version FROM span_texts WHERE ${where})`;
}

/** The condition that the trace has a row that contains a text. */
export function tracesWithText(text: string, binder: Binder): string {
  if (binder.reading === null) return binder.tracesWith('spans', containsText(text, binder));
  return `trace_id GLOBAL IN (\n    SELECT trace_id FROM spans FINAL WHERE ${containsText(text, binder)}\n  )`;
}

/** The condition that the trace has a span that meets the term of `any`, or none that meets that of `none`. */
export function someSpan({ type, term }: Extract<Filter, { type: 'any' | 'none' }>, binder: Binder): string {
  const found = binder.tracesWith('spans', ofSpan(term, binder));
  return type === 'any' ? found : `NOT (${found})`;
}

/** The condition that a row is a span, not a trace's own record, and meets a filter. */
function ofSpan(filter: Filter, binder: Binder): string {
  return `span_id != '' AND (${spanCondition(filter, binder)})`;
}

/** The condition that a row, also a trace's own record where the field is one of it, meets a term. */
export function ofRow(term: Filter, binder: Binder): string {
  const alsoRecord = term.type === 'text' || (term.type === 'field' && ofOwnRecord.has(term.field.name));
  return alsoRecord ? spanCondition(term, binder) : ofSpan(term, binder);
}

function fieldCondition(term: FieldTerm, binder: Binder): string {
  if (term.field.name.startsWith('trace.')) return inTraces(term, binder);
  const commented = commentedCondition(term, () => ofSpanIn('comments', '1', binder));
  if (commented !== null) return commented;
  const told = toldCondition(term, binder);
  if (told?.table === 'scores') return ofSpanIn('scores', told.condition, binder);
  if (told) return binder.tracesWith(told.table, told.condition);
  return ofSpans[term.field.name]?.(term, binder) ?? '0';
}

/** The condition that a span has such a row of its own. */
function ofSpanIn(table: 'scores' | 'comments', condition: string, binder: Binder): string {
  return `(trace_id, span_id) GLOBAL IN (${binder.rows('trace_id, span_id', table, condition)})`;
}

/** Conditions of which all or some must hold; all of none do. */
export function joined(type: 'all' | 'some', terms: readonly Filter[], condition: (term: Filter) => string): string {
  if (terms.length === 0) return '1';
  return `(${terms.map(condition).join(type === 'all' ? ' AND ' : ' OR ')})`;
}

/** Whether a list of traces has the field in its summary. */
export const isOfSummary = (name: string): boolean => name.startsWith('trace.') || name in summaryConditions;
