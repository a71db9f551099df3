import type { FieldTerm, Filter } from '../../../contract/filter/ast.ts';
import { simulationMark } from '../../../contract/kinds.ts';

/** The fields by which a filter can ask for traces of simulations, beside `source`. */
const marked = new Set(['environment', 'agent', 'tag']);

/**
 * Whether a filter asks for records of any source: it names `source`, a trace by its id, or the mark of simulations. Without that, lists leave out what was made for
 * simulations, the playground and evaluations (docs/filter.md).
 *
 * @param filter null: none
 */
export function asksForSource(filter: Filter | null): boolean {
  if (filter === null) return false;
  switch (filter.type) {
    case 'all':
    case 'some':
      return filter.terms.some(asksForSource);
    case 'not':
    case 'any':
    case 'none':
      return asksForSource(filter.term);
    case 'text':
      return false;
    case 'field': {
      const name = filter.field.name.replace(/^trace\./, '');
      return name === 'source' || name === 'trace' || (marked.has(name) && hasMark(filter));
    }
  }
}

function hasMark({ values }: FieldTerm): boolean {
  return values?.some((value) => value.type === 'text' && value.text === simulationMark) ?? false;
}
