import type { FieldTerm, Filter } from '../../../contract/filter/ast.ts';
import type { Binder } from './binder.ts';
import { momentCondition, numberCondition, ofFields, textCondition } from './value-conditions.ts';

type Condition = (values: FieldTerm['values'], binder: Binder) => string;

/** The fields of a span that its row of `calls` has as they are. */
const ofCalls: Readonly<Record<string, Condition>> = {
  ...ofFields(
    {
      status: `if(error = 1, 'error', 'ok')`,
      errorCode: 'error_code',
      model: 'model',
      provider: 'provider',
      prompt: 'prompt_name',
      environment: 'environment',
      trace: 'trace_id',
      span: 'span_id',
    },
    (expression): Condition =>
      (values, binder) =>
        textCondition(expression, values, binder),
  ),
  promptVersion: (values, binder) => numberCondition('toFloat64OrNull(toString(prompt_version))', values, binder),
  started: (values, binder) => momentCondition('start_time', values, binder),
};

/** The condition that the span of a row of `calls` meets a filter on spans; null where the row does not have what the filter asks for. */
export function callCondition(filter: Filter, binder: Binder): string | null {
  switch (filter.type) {
    case 'all':
    case 'some': {
      const conditions = filter.terms.flatMap((term) => callCondition(term, binder) ?? []);
      if (conditions.length < filter.terms.length || conditions.length === 0) return null;
      return `(${conditions.join(filter.type === 'all' ? ' AND ' : ' OR ')})`;
    }
    case 'not': {
      const condition = callCondition(filter.term, binder);
      return condition === null ? null : `NOT (${condition})`;
    }
    case 'field': {
      const { name } = filter.field;
      if (name === 'environment' && !binder.given.has(name)) return null;
      return ofCalls[name]?.(filter.values, binder) ?? null;
    }
    default:
      return null;
  }
}
