import type { FieldTerm } from '../../../contract/filter/ast.ts';
import { simulationMark } from '../../../contract/kinds.ts';
import type { Binder } from './binder.ts';
import { booleanCondition, listCondition, momentCondition, numberCondition, textCondition } from './value-conditions.ts';

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

/** SQL of whether a summary is that of a trace of a simulation. */
export const isSimulatedTrace = `environment = '${simulationMark}' AND has(agents, '${simulationMark}') AND has(tags, '${simulationMark}')`;

/** Conditions on the summary of a trace, table `traces`, by the name of the field. */
export const summaryConditions: Readonly<Record<string, Condition>> = {
  name: text('name'),
  status: text(`if(error = 1, 'error', 'ok')`),
  model: list('models'),
  agent: list('agents'),
  environment: text('environment'),
  release: text('release'),
  session: text('session_id'),
  user: text('user_id'),
  tag: list('tags'),
  latency: number('duration_ms'),
  cost: number('cost'),
  unpriced: (values) => booleanCondition('(unpriced_calls + partly_priced_calls > 0)', values),
  tokens: number('(input_tokens + output_tokens)'),
  inputTokens: number('input_tokens'),
  outputTokens: number('output_tokens'),
  cachedTokens: number('cached_tokens'),
  reasoningTokens: number('reasoning_tokens'),
  started: (values, binder) => momentCondition('start_time', values, binder),
  trace: text('trace_id'),
  spans: number('span_count'),
  calls: number('call_count'),
  errors: number('error_count'),
};

/** The condition of a field on the summary of a trace; null for a field that it does not have. */
export function summaryCondition({ field, values }: FieldTerm, binder: Binder): string | null {
  return summaryConditions[field.name.replace(/^trace\./, '')]?.(values, binder) ?? null;
}
