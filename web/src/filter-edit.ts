import type { FieldTerm, Filter, FilterValue } from '../../src/contract/filter/ast.ts';
import type { FilterSubject } from '../../src/contract/filter/fields.ts';
import { FilterError } from '../../src/contract/filter/filter-error.ts';
import { parseFilter } from '../../src/contract/filter/parse.ts';
import { printField, printText, printValue } from '../../src/contract/filter/print.ts';
import { topTerms, withoutPart } from './filter-terms.ts';
import type { FilterTerm } from './filter-terms.ts';

/** What a list shows of a field's values: these alone, or all but these. */
export type Side = 'included' | 'excluded';

/** The values of a field that a filter names at its top, as they are written in terms. */
export type ChosenValues = Readonly<Record<Side, readonly string[]>>;

interface ReadTerm extends FilterTerm {
  side: Side;
  field: FieldTerm;
}

/** The text of a filter with a term that must be met too. Pure function. */
export function withTerm(text: string, term: string): string {
  const written = text.trim();
  if (written === '') return term;
  return topTerms(written) === null ? `(${written}) ${term}` : `${written} ${term}`;
}

/** A term that names values of a field. @param values as they are written in terms; see {@link writtenValue} */
export function valueTerm(name: string, values: readonly string[], side: Side = 'included'): string {
  const [only = ''] = values;
  return `${side === 'excluded' ? '-' : ''}${name}:${values.length === 1 ? only : `(${values.join(' OR ')})`}`;
}

/** A value as it is written in a term: in quotation marks where it needs them. Pure function. */
export function writtenValue(value: string): string {
  return value === '' ? '""' : printText(value);
}

function read(text: string, on: FilterSubject): Filter | null {
  try {
    return parseFilter(text, { on, nowMs: 0 });
  } catch (error) {
    if (error instanceof FilterError) return null;
    throw error;
  }
}

/** The terms at the top that are about a field. */
function termsOf(text: string, on: FilterSubject, name: string): ReadTerm[] {
  return (topTerms(text) ?? []).flatMap((term): ReadTerm[] => {
    const filter = read(text.slice(term.start, term.end), on);
    const field = filter?.type === 'not' ? filter.term : filter;
    if (field?.type !== 'field' || printField(field) !== name) return [];
    return [{ ...term, side: filter?.type === 'not' ? 'excluded' : 'included', field }];
  });
}

/** Whether a value can stand beside others in the parentheses of a field. */
function isChoice(value: FilterValue): boolean {
  return (
    value.type === 'text' ||
    value.type === 'boolean' ||
    (value.type === 'number' && /^-?[\d.]+$/.test(value.written) && !value.written.includes('..'))
  );
}

/** The written values of a term that others can join; null of one such as `latency:>2s` or `user:*`. */
function choicesOf({ field: { values } }: ReadTerm): string[] | null {
  return values !== null && values.every(isChoice) ? values.map(printValue) : null;
}

/** The values of a field that a filter names. Pure function. @param name of the field, as a filter prints it */
export function chosenValues(text: string, on: FilterSubject, name: string): ChosenValues {
  const chosen: Record<Side, string[]> = { included: [], excluded: [] };
  for (const term of termsOf(text, on, name)) chosen[term.side].push(...(choicesOf(term) ?? []));
  return chosen;
}

/**
 * The filter with a value of a field chosen, or no longer chosen where it was. A further value joins those that are chosen: one of them is met, or none of
 * the excluded. Pure function.
 *
 * @param value as the field has it
 */
export function toggledValue(text: string, on: FilterSubject, name: string, value: string, side: Side = 'included'): string {
  const written = writtenValue(value);
  const wasChosen = chosenValues(text, on, name)[side].includes(written);
  let next = text;
  // From the last term on, so that the offsets of the others hold.
  for (const term of termsOf(text, on, name).toReversed()) {
    const left = choicesOf(term)?.filter((one) => one !== written);
    if (left === undefined || left.length === term.field.values?.length) continue;
    next =
      left.length === 0
        ? withoutPart(next, term)
        : next.slice(0, term.start) + valueTerm(name, left, term.side) + next.slice(term.end);
  }
  if (wasChosen) return next;
  const joined = termsOf(next, on, name).findLast((term) => term.side === side && choicesOf(term) !== null);
  if (joined === undefined) return withTerm(next, valueTerm(name, [written], side));
  const values = [...(choicesOf(joined) ?? []), written];
  return next.slice(0, joined.start) + valueTerm(name, values, side) + next.slice(joined.end);
}

/** The filter with a term where it lacks it, else without it. Pure function. @param term such as `status:error` */
export function toggledTerm(text: string, term: string): string {
  const found = (topTerms(text) ?? []).find(({ start, end }) => text.slice(start, end) === term);
  return found === undefined ? withTerm(text, term) : withoutPart(text, found);
}

/** Whether a term stands at the top of a filter. Pure function. */
export function hasTerm(text: string, term: string): boolean {
  return (topTerms(text) ?? []).some(({ start, end }) => text.slice(start, end) === term);
}

/** The filter without the terms of a field at its top. Pure function. */
export function withoutField(text: string, on: FilterSubject, name: string): string {
  return termsOf(text, on, name)
    .toReversed()
    .reduce((next, term) => withoutPart(next, term), text);
}

/** The filter with a range of a number in place of other terms about it; without one where both ends are open. Pure function. */
export function withRange(text: string, on: FilterSubject, name: string, from: number | null, to: number | null): string {
  const others = withoutField(text, on, name);
  if (from === null && to === null) return others;
  const value = to === null ? `>=${digits(from ?? 0)}` : from === null ? `<=${digits(to)}` : `${digits(from)}..${digits(to)}`;
  return withTerm(others, `${name}:${value}`);
}

/** A number without an exponent, which filters do not read. */
function digits(value: number): string {
  if (!String(value).includes('e-')) return String(value);
  const text = value.toFixed(12);
  let end = text.length;
  while (text[end - 1] === '0') end--;
  return text.slice(0, text[end - 1] === '.' ? end - 1 : end);
}

/** The filter with the opposite of one of its terms. Pure function. @param term one of its top */
export function negatedPart(text: string, { start, end }: FilterTerm): string {
  const term = text.slice(start, end);
  const [sign = ''] = /^(?:-|NOT\s+)/.exec(term.slice(0, 40)) ?? [];
  const opposite = sign === '' ? `-${term}` : term.slice(sign.length);
  return text.slice(0, start) + opposite + text.slice(end);
}
