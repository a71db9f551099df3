import type { FieldTerm, Filter } from '../../../contract/filter/ast.ts';
import type { Binder } from '../filter/binder.ts';
import { joined } from '../filter/span-conditions.ts';
import { momentCondition, numberCondition, textCondition } from '../filter/value-conditions.ts';
import { fieldsOfCalls } from './row-columns.ts';

type Condition = (values: FieldTerm['values'], binder: Binder) => string;

const others: Readonly<Record<string, Condition>> = {
  promptVersion: (values, binder) => numberCondition('toFloat64OrNull(toString(prompt_version))', values, binder),
  latency: (values, binder) => numberCondition('call_latency', values, binder),
  ttft: (values, binder) => numberCondition('call_ttft', values, binder),
  started: (values, binder) => momentCondition('start_time', values, binder),
};

function conditionOf(name: string): Condition | null {
  const other = others[name];
  if (other) return other;
  const text = fieldsOfCalls[name];
  return text === undefined ? null : (values, binder) => textCondition(text, values, binder);
}

/** Whether a call's own row tells if it meets a filter on spans. */
export function isOfCall(filter: Filter): boolean {
  switch (filter.type) {
    case 'all':
    case 'some':
      return filter.terms.every(isOfCall);
    case 'not':
      return isOfCall(filter.term);
    case 'field':
      return conditionOf(filter.field.name) !== null;
    default:
      return false;
  }
}

/** The condition on the row of a call that it meets a filter of which {@link isOfCall} holds. */
export function callCondition(filter: Filter, binder: Binder): string {
  switch (filter.type) {
    case 'all':
    case 'some':
      return joined(filter.type, filter.terms, (term) => callCondition(term, binder));
    case 'not':
      return `NOT (${callCondition(filter.term, binder)})`;
    case 'field':
      return conditionOf(filter.field.name)?.(filter.values, binder) ?? '0';
    default:
      return '0';
  }
}
