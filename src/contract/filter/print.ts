import type { FieldTerm, Filter, FilterValue } from './ast.ts';

/** The text of a filter, which reads as the same filter. */
export function printFilter(filter: Filter): string {
  return filter.type === 'all' || filter.type === 'some' ? printTerms(filter) : printTerm(filter);
}

function printTerms({ type, terms }: Extract<Filter, { terms: readonly Filter[] }>): string {
  return terms.map(printTerm).join(type === 'all' ? ' ' : ' OR ');
}

function printTerm(filter: Filter): string {
  switch (filter.type) {
    case 'all':
    case 'some':
      return `(${printTerms(filter)})`;
    case 'not':
      return `NOT ${printTerm(filter.term)}`;
    case 'any':
    case 'none':
      return `${filter.type}(${printFilter(filter.term)})`;
    case 'text':
      return isPlainWord(filter.text) && !/[:*]/.test(filter.text) ? filter.text : quote(filter.text);
    case 'field':
      return `${printField(filter)}:${printValues(filter.values)}`;
  }
}

/** The name of a field with its key: `metadata."a.b".c`. */
export function printField({ field, path }: Pick<FieldTerm, 'field' | 'path'>): string {
  return field.name + path.map((part) => (/^[\w$@/-]+$/.test(part) ? part : quote(part))).join('.');
}

/** A value as it is written in a term. */
export function printValues(values: FieldTerm['values']): string {
  if (values === null) return '*';
  const [only] = values;
  return only && values.length === 1 ? printValue(only) : `(${values.map(printValue).join(' OR ')})`;
}

/** A value as it is written in a term. */
export function printValue(value: FilterValue): string {
  switch (value.type) {
    case 'boolean':
      return String(value.value);
    case 'text': {
      const { text, match } = value;
      const before = match === 'end' || match === 'part' ? '*' : '';
      return `${before}${printText(text)}${match === 'beginning' || match === 'part' ? '*' : ''}`;
    }
    default:
      return value.written;
  }
}

/** A value of a text, in quotation marks where it would be read as something else. */
export function printText(text: string): string {
  return isPlainWord(text) && !/[*\\]|\.\.|^[<>]/.test(text) ? text : quote(text);
}

/** Whether a text is read as one word that is no keyword. */
function isPlainWord(text: string): boolean {
  return /^[^\s()"\\-][^\s()"\\]*$/.test(text) && !['AND', 'OR', 'NOT'].includes(text);
}

function quote(text: string): string {
  return `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}
