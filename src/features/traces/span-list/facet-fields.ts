import type { FilterField, FilterSubject } from '../../../contract/filter/fields.ts';
import { attributesSql } from '../../trace-store/index.ts';
import { inheritedTexts, keyedTexts, ownAgent, spanNumbers, spanTexts, triggeredGuardrails } from '../filter/span-values.ts';
import { hasUnpriced, summaryLists, summaryNumbers, summaryTexts } from '../filter/summary-conditions.ts';
import { ofFields } from '../filter/value-conditions.ts';

/** Where the values of a field are found, for counting them. */
export interface FacetSource {
  table: 'spans' | 'traces' | 'scores' | 'outcomes' | 'comments';
  /** SQL of the values of a row as `Array(String)`; `''` is none. @param keys placeholders of what follows the name of the field */
  values(keys: readonly string[]): string;
  /** Which rows are read. @param keys see `values` */
  where?(keys: readonly string[]): string;
  /** What else the values of a span are read of: columns `trace_<column>` of its trace, or the `taken_agent` of it. */
  joined?: 'trace' | 'agent';
  /** SQL of the one value that a row of `spans` has without what is joined, `''` where there is none; for fields with one value a row. */
  own?: string;
}

/** Columns that a span has of its trace where it has none. */
export const inheritedColumns = [...Object.values(inheritedTexts), 'tags'];

const one = (expression: string) => `[toString(${expression})]`;
const all = (column: string) => `arrayMap(v -> toString(v), ${column})`;
const truth = (expression: string) => `[multiIf(isNull(${expression}), '', ${expression} = 1, 'true', 'false')]`;
const ofSpan = (values: string): FacetSource => ({ table: 'spans', values: () => values });
const oneOfSpan = (expression: string): FacetSource => ({ ...ofSpan(one(expression)), own: expression });
const ofEvaluator = ([evaluator]: readonly string[]) => `evaluator = ${evaluator}`;

const ofSpans: Readonly<Record<string, FacetSource>> = {
  ...ofFields(spanTexts, oneOfSpan),
  ...ofFields(inheritedTexts, (column) => ({
    ...ofSpan(one(`if(${column} = '', trace_${column}, ${column})`)),
    joined: 'trace' as const,
    own: column,
  })),
  tag: { ...ofSpan(`if(empty(tags), ${all('trace_tags')}, ${all('tags')})`), joined: 'trace' },
  agent: { ...ofSpan(one(`if(${ownAgent} = '', toString(taken_agent), ${ownAgent})`)), joined: 'agent', own: ownAgent },
  promptVersion: oneOfSpan('prompt_version'),
  trace: ofSpan(one('trace_id')),
  span: ofSpan(one('span_id')),
  unpriced: ofSpan(
    `[if(cost_status IN ('unpriced', 'partly_priced') AND (trace_id, span_id) GLOBAL IN (SELECT trace_id, span_id FROM calls FINAL WHERE unpriced = 1 OR partly_priced = 1), 'true', 'false')]`,
  ),
  guardrail: ofSpan(triggeredGuardrails),
  // A trace's own record has metadata too.
  'metadata.': { table: 'spans', values: (keys) => keyedTexts('metadata', keys), where: () => '1' },
  'attribute.': { table: 'spans', values: (keys) => keyedTexts(attributesSql, keys) },
};

/** The values of the fields of a trace's summary. */
const ofSummaries: Readonly<Record<string, string>> = {
  ...ofFields(summaryTexts, one),
  ...ofFields(summaryLists, all),
  unpriced: truth(hasUnpriced),
  trace: one('trace_id'),
};

/** The fields of what is told of spans and traces. */
const told: Readonly<Record<string, FacetSource>> = {
  scored: { table: 'scores', values: () => one('evaluator') },
  'label.': { table: 'scores', values: () => one('label'), where: ofEvaluator },
  'passed.': { table: 'scores', values: () => truth('passed'), where: ofEvaluator },
  outcome: { table: 'outcomes', values: () => one('kind') },
  'outcome.success': { table: 'outcomes', values: () => truth('success') },
  commented: { table: 'comments', values: () => `['true']` },
};

/** The source of a field's values; null for one whose values are not counted: a time, a number, a text that is searched within. */
export function facetSource({ name }: FilterField, on: FilterSubject): FacetSource | null {
  const summary = ofSummaries[name.replace(/^trace\./, '')];
  if (summary !== undefined && (on === 'traces' || name.startsWith('trace.'))) return { table: 'traces', values: () => summary };
  return told[name] ?? ofSpans[name] ?? null;
}

/** A number of a row. */
export interface FacetNumber {
  /** Whose column it is: of the row itself, its trace, or its latest score. */
  of: 'row' | 'trace' | 'score';
  /** SQL over a row of that, NULL where it is absent. */
  expression: string;
}

/** Where the number of a row is found; null for a field that is none. */
export function facetNumber({ name }: FilterField, on: FilterSubject): FacetNumber | null {
  if (name === 'score.') return { of: 'score', expression: 'figure' };
  const ofTrace = name.startsWith('trace.');
  const numbers: Readonly<Record<string, string>> = on === 'spans' && !ofTrace ? spanNumbers : summaryNumbers;
  const number = numbers[name.replace(/^trace\./, '')];
  if (number === undefined) return null;
  return { of: on === 'spans' && ofTrace ? 'trace' : 'row', expression: `toFloat64(${number})` };
}
