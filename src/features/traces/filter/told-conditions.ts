import type { FieldTerm } from '../../../contract/filter/ast.ts';
import type { Binder } from './binder.ts';
import { booleanCondition, numberCondition, textCondition } from './value-conditions.ts';

type Condition = (term: FieldTerm, binder: Binder) => string;

const ofEvaluator =
  (condition: Condition): Condition =>
  (term, binder) =>
    `evaluator = ${binder.bind(term.path[0] ?? '', 'String')} AND ${condition(term, binder)}`;

/** Conditions on a row of `scores`. A score of a label alone is NaN. */
const ofScores: Readonly<Record<string, Condition>> = {
  'score.': ofEvaluator(({ values }, binder) => numberCondition('if(isNaN(score), NULL, score)', values, binder)),
  'passed.': ofEvaluator(({ values }) => booleanCondition('passed', values)),
  'label.': ofEvaluator(({ values }, binder) => textCondition('label', values, binder)),
  scored: ({ values }, binder) => textCondition('evaluator', values, binder),
};

/** Conditions on a row of `outcomes`. */
const ofOutcomes: Readonly<Record<string, Condition>> = {
  outcome: ({ values }, binder) => textCondition('kind', values, binder),
  'outcome.success': ({ values }) => booleanCondition('success', values),
  'outcome.value': ({ values }, binder) => numberCondition('value', values, binder),
};

/** The rows of another table that a field asks for; null for a field of spans or traces. */
export function toldCondition(term: FieldTerm, binder: Binder): { table: 'scores' | 'outcomes'; condition: string } | null {
  const { name } = term.field;
  const scores = ofScores[name];
  if (scores) return { table: 'scores', condition: scores(term, binder) };
  const outcomes = ofOutcomes[name];
  return outcomes ? { table: 'outcomes', condition: outcomes(term, binder) } : null;
}

/**
 * The condition of `commented` on a span or a trace; null for another field.
 *
 * @param some the condition that one has a comment
 */
export function commentedCondition({ field, values }: FieldTerm, some: () => string): string | null {
  if (field.name !== 'commented') return null;
  // There is a comment, or there is none: `:*` asks for one.
  return values === null ? some() : booleanCondition(`(${some()})`, values);
}
