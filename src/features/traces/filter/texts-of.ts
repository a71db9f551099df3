import type { Filter } from '../../../contract/filter/ast.ts';

/** The texts that a filter searches. */
export function textsOf(filter: Filter): string[] {
  switch (filter.type) {
    case 'all':
    case 'some':
      return filter.terms.flatMap(textsOf);
    case 'not':
    case 'any':
    case 'none':
      return textsOf(filter.term);
    case 'text':
      return [filter.text];
    case 'field':
      return [];
  }
}

/** The texts that everything must contain that a filter matches. */
export function requiredTexts(filter: Filter): string[] {
  return termsOf(filter).flatMap((term) => (term.type === 'text' ? [term.text] : []));
}

/** A filter without its {@link requiredTexts}; null when nothing else is left. */
export function withoutTexts(filter: Filter): Filter | null {
  const terms = termsOf(filter).filter(({ type }) => type !== 'text');
  return terms.length === 0 ? null : { type: 'all', terms };
}

/** The terms that must all hold. */
function termsOf(filter: Filter): readonly Filter[] {
  return filter.type === 'all' ? filter.terms.flatMap(termsOf) : [filter];
}
