import type { FilterField, FilterSubject } from '../../../contract/filter/fields.ts';
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
}

/** Columns that a span has of its trace where it has none. */
export const inheritedColumns = [...Object.values(inheritedTexts), 'tags'];

const one = (expression: string) => `[toString(${expression})]`;
const all = (column: string) => `arrayMap(v -> toString(v), ${column})`;
const truth = (expression: string) => `[multiIf(isNull(${expression}), '', ${expression} = 1, 'true', 'false')]`;
const ofSpan = (values: string): FacetSource => ({ table: 'spans', values: () => values });
const ofEvaluator = ([evaluator]: readonly string[]) => `evaluator = ${evaluator}`;

const ofSpans: Readonly<Record<string, FacetSource>> = {
  ...ofFields(spanTexts, (expression) => ofSpan(one(expression))),
  ...ofFields(inheritedTexts, (column) => ({
    ...ofSpan(one(`if(${column} = '', trace_${column}, ${column})`)),
    joined: 'trace' as const,
  })),
  tag: { ...ofSpan(`if(empty(tags), ${all('trace_tags')}, ${all('tags')})`), joined: 'trace' },
  agent: { ...ofSpan(one(`if(${ownAgent} = '', toString(taken_agent), ${ownAgent})`)), joined: 'agent' },
  promptVersion: ofSpan(one('prompt_version')),
  guardrail: ofSpan(triggeredGuardrails),
  // A trace's own record has metadata too.
  'metadata.': { table: 'spans', values: (keys) => keyedTexts('metadata', keys), where: () => '1' },
  'attribute.': { table: 'spans', values: (keys) => keyedTexts('attributes', keys) },
};

/** The values of the fields of a trace's summary. */
const ofSummaries: Readonly<Record<string, string>> = {
  ...ofFields(summaryTexts, one),
  ...ofFields(summaryLists, all),
  unpriced: truth(hasUnpriced),
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

/** The source of a field's values; null for one whose values are not counted, such as a time or a text. */
export function facetSource({ name }: FilterField, on: FilterSubject): FacetSource | null {
  const summary = ofSummaries[name.replace(/^trace\./, '')];
  if (summary !== undefined && (on === 'traces' || name.startsWith('trace.'))) return { table: 'traces', values: () => summary };
  return told[name] ?? ofSpans[name] ?? null;
}

/** SQL of a number of a row, NULL where it is absent; null for a field that is none. */
export function facetNumber({ name }: FilterField, on: FilterSubject): string | null {
  // Of `latestScores`.
  if (name === 'score.') return 'figure';
  const numbers: Readonly<Record<string, string>> = on === 'spans' ? spanNumbers : summaryNumbers;
  return numbers[name] === undefined ? null : `toFloat64(${numbers[name]})`;
}
