import type { Filter } from '../../../contract/filter/ast.ts';
import { readFilter } from '../../../contract/filter/read-filter.ts';
import type { EvaluatorFilter, EvaluatorTarget } from '../../../contract/evaluators.ts';
import { asksForSource } from '../../traces/index.ts';

type Filtered = Readonly<{ filter: EvaluatorFilter; target: EvaluatorTarget }>;

/**
 * The expression of an evaluator's filter; null without one.
 *
 * Errors: `invalid_filter` with the path `/filter/expression`.
 */
export function readExpression({ filter, target }: Filtered, nowMs: number): Filter | null {
  return readFilter(filter.expression, target === 'span' ? 'spans' : 'traces', nowMs, '/filter/expression');
}

/** Whether an evaluator's filter has an expression. */
export function hasExpression({ filter }: Pick<Filtered, 'filter'>): boolean {
  return filter.expression !== undefined && filter.expression.trim() !== '';
}

/** The expression of a stored evaluator; null without one, and for one that a later release does not read. */
export function readableExpression(evaluator: Filtered, nowMs: number): Filter | null {
  try {
    return readExpression(evaluator, nowMs);
  } catch {
    return null;
  }
}

/** Whether an evaluator looks at spans of simulations too: its expression asks for their source. */
export function asksForAnySource(evaluator: Filtered, nowMs: number): boolean {
  const expression = hasExpression(evaluator) ? readableExpression(evaluator, nowMs) : null;
  return expression !== null && asksForSource(expression);
}

/** Whether a filter has a term for the kind of a span. */
export function namesKind(filter: Filter): boolean {
  switch (filter.type) {
    case 'all':
    case 'some':
      return filter.terms.some(namesKind);
    case 'not':
    case 'any':
    case 'none':
      return namesKind(filter.term);
    case 'text':
      return false;
    case 'field':
      return filter.field.name === 'kind';
  }
}
