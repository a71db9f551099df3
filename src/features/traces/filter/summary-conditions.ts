import type { FieldTerm } from '../../../contract/filter/ast.ts';
import type { Binder } from './binder.ts';
import {
  booleanCondition,
  listCondition,
  momentCondition,
  numberCondition,
  ofFields,
  textCondition,
} from './value-conditions.ts';

type Condition = (values: FieldTerm['values'], binder: Binder) => string;
const text =
  (column: string): Condition =>
  (values, binder) =>
    textCondition(column, values, binder);
const list =
  (column: string): Condition =>
  (values, binder) =>
    listCondition(column, values, binder);
const number =
  (expression: string): Condition =>
  (values, binder) =>
    numberCondition(expression, values, binder);

/** SQL of the fields of a filter over a row of `traces` that are one text, `''` where it is absent. */
export const summaryTexts = {
  name: 'name',
  status: `if(error = 1, 'error', 'ok')`,
  environment: 'environment',
  release: 'release',
  session: 'session_id',
  user: 'user_id',
};

/** The columns of fields that are lists of texts. */
export const summaryLists = { model: 'models', agent: 'agents', tag: 'tags' };

/** SQL of the fields that are numbers, NULL where they are absent. */
export const summaryNumbers = {
  latency: 'duration_ms',
  cost: 'cost',
  tokens: '(input_tokens + output_tokens)',
  inputTokens: 'input_tokens',
  outputTokens: 'output_tokens',
  cachedTokens: 'cached_tokens',
  reasoningTokens: 'reasoning_tokens',
  spans: 'span_count',
  calls: 'call_count',
  errors: 'error_count',
  // 0 of a trace with spans: it is not known.
  depth: 'if(depth = 0 AND span_count > 0, NULL, depth)',
};

/** SQL of whether a call of the trace has no known cost, or one that is known in part. */
export const hasUnpriced = '(unpriced_calls + partly_priced_calls > 0)';

/** Conditions on the summary of a trace, table `traces`, by the name of the field. */
export const summaryConditions: Readonly<Record<string, Condition>> = {
  ...ofFields(summaryTexts, text),
  ...ofFields(summaryLists, list),
  ...ofFields(summaryNumbers, number),
  unpriced: (values) => booleanCondition(hasUnpriced, values),
  started: (values, binder) => momentCondition('start_time', values, binder),
  trace: text('trace_id'),
};

/** The condition of a field on the summary of a trace; null for a field that it does not have. */
export function summaryCondition({ field, values }: FieldTerm, binder: Binder): string | null {
  return summaryConditions[field.name.replace(/^trace\./, '')]?.(values, binder) ?? null;
}
