import type { FilterSubject } from '../../src/contract/filter/fields.ts';
import { FilterError } from '../../src/contract/filter/filter-error.ts';
import { parseFilter } from '../../src/contract/filter/parse.ts';
import { printText } from '../../src/contract/filter/print.ts';
import { Scanner } from '../../src/contract/filter/scan.ts';

/** A part of a filter's text, for its colours. Offsets in UTF-16 units. */
export interface FilterToken {
  type: 'field' | 'value' | 'keyword' | 'text' | 'bracket';
  start: number;
  end: number;
}

/** One of the terms that all must be met: what stands at the top of a filter. */
export interface FilterTerm {
  start: number;
  end: number;
  /** With NOT or `-` before it. */
  isNegated: boolean;
  /** The name of its field as it is written; null for a text, a group, `any(...)` and `none(...)`. */
  field: string | null;
}

/** The parts of a filter, also of one that cannot be read: what has an error is a text, and reading goes on behind it. Pure function. */
export function filterTokens(text: string): FilterToken[] {
  const scanner = new Scanner(text);
  const tokens: FilterToken[] = [];
  const add = (type: FilterToken['type'], start: number) => {
    if (scanner.at > start) tokens.push({ type, start, end: scanner.at });
  };
  for (scanner.skipBlanks(); !scanner.isAtEnd; scanner.skipBlanks()) {
    const start = scanner.at;
    try {
      readToken(scanner, add);
    } catch (error) {
      if (!(error instanceof FilterError)) throw error;
      add('text', Math.max(start, tokens.at(-1)?.end ?? 0));
    }
    // A character that begins nothing.
    if (scanner.at === start) {
      scanner.at++;
      add('text', start);
    }
  }
  return tokens;
}

function readToken(scanner: Scanner, add: (type: FilterToken['type'], start: number) => void): void {
  const start = scanner.at;
  const character = scanner.text[start];
  if (scanner.takes('(') || scanner.takes(')')) return add('bracket', start);
  if (['AND', 'OR', 'NOT'].some((keyword) => scanner.takesWord(keyword))) return add('keyword', start);
  if (character === '-' && /[^\s)]/.test(scanner.text[start + 1] ?? ' ')) {
    scanner.at++;
    return add('keyword', start);
  }
  const [group = ''] = /^(?:any|none)(?=\()/.exec(scanner.text.slice(start, start + 5)) ?? [];
  if (group !== '') {
    scanner.at += group.length;
    return add('keyword', start);
  }
  if (character === '"') {
    scanner.quoted();
    return add('text', start);
  }
  if (scanner.fieldName() === null) {
    scanner.word();
    return add('text', start);
  }
  add('field', start);
  readValues(scanner, add);
}

function readValues(scanner: Scanner, add: (type: FilterToken['type'], start: number) => void): void {
  const start = scanner.at;
  if (!scanner.takes('(')) {
    // A field at the end, whose value is not yet written.
    if (/\s|^$/.test(scanner.text[start] ?? '')) return;
    scanner.value();
    return add('value', start);
  }
  add('bracket', start);
  for (;;) {
    scanner.skipBlanks();
    const at = scanner.at;
    if (scanner.isAtEnd) return;
    if (scanner.takes(')')) return add('bracket', at);
    if (scanner.takesWord('OR')) {
      add('keyword', at);
      continue;
    }
    scanner.value();
    add('value', at);
  }
}

/** The terms that all must be met; null where the top of the filter is a choice (OR), so that no term can go or join alone. Pure function. */
export function topTerms(text: string): FilterTerm[] | null {
  const terms: FilterTerm[] = [];
  let [depth, isNegated, start] = [0, false, -1];
  /** Of the list of values of a field, whose parenthesis is the term's. */
  let field: string | null = null;
  const tokens = filterTokens(text);
  for (const [index, token] of tokens.entries()) {
    const written = text.slice(token.start, token.end);
    const next = tokens[index + 1];
    if (start === -1) {
      start = token.start;
      isNegated = false;
    }
    if (token.type === 'bracket') depth = Math.max(0, depth + (written === '(' ? 1 : -1));
    if (depth > 0) continue;
    if (token.type === 'keyword') {
      if (written === 'OR') return null;
      if (written === 'AND') start = -1;
      if (written === 'NOT' || written === '-') isNegated = !isNegated;
      continue;
    }
    if (token.type === 'field') {
      field = written.slice(0, -1);
      // Its value belongs to it.
      if (next?.start === token.end) continue;
    }
    terms.push({ start, end: token.end, isNegated, field });
    [start, field] = [-1, null];
  }
  return terms;
}

/** The text without a part, and without the blanks that it leaves. Pure function. */
export function withoutPart(text: string, { start, end }: { start: number; end: number }): string {
  const before = text.slice(0, start).replace(/(?:\s*\bAND)?\s*$/, '');
  const behind = text.slice(end).replace(/^\s*(?:AND\b\s*)?/, '');
  return before === '' || behind === '' ? before + behind : `${before} ${behind}`;
}

/** The text with one more term that must be met as well. Pure function. */
export function withTerm(text: string, term: string): string {
  const trimmed = text.trim();
  if (trimmed === '') return term;
  return topTerms(trimmed) === null ? `(${trimmed}) ${term}` : `${trimmed} ${term}`;
}

/** What is wrong with a filter, and where; null where it can be read. Pure function. */
export function filterErrorIn(text: string, on: FilterSubject): FilterError | null {
  try {
    parseFilter(text, { on, nowMs: 0 });
    return null;
  } catch (error) {
    if (error instanceof FilterError) return error;
    throw error;
  }
}

/** The values of a field that the terms of a filter ask for, and those that they leave out. */
export interface ChosenValues {
  included: readonly string[];
  excluded: readonly string[];
}

interface ValueTerm extends FilterTerm {
  values: readonly string[];
}

/** The terms that name whole values of a field: `field:a`, `field:(a OR b)`. */
function valueTerms(text: string, on: FilterSubject, field: string): ValueTerm[] {
  return (topTerms(text) ?? []).flatMap((term) => {
    if (term.field !== field) return [];
    const values = wholeValues(text.slice(term.start, term.end), on);
    return values === null ? [] : [{ ...term, values }];
  });
}

function wholeValues(term: string, on: FilterSubject): string[] | null {
  if (filterErrorIn(term, on) !== null) return null;
  let filter = parseFilter(term, { on, nowMs: 0 });
  while (filter.type === 'not') filter = filter.term;
  if (filter.type !== 'field' || filter.values === null) return null;
  const values = filter.values.map((value) => {
    if (value.type === 'boolean') return String(value.value);
    return value.type === 'text' && value.match === 'whole' ? value.text : null;
  });
  return values.every((value) => value !== null) ? values : null;
}

/** The values of a field that a filter names at its top. Pure function. */
export function chosenValues(text: string, on: FilterSubject, field: string): ChosenValues {
  const terms = valueTerms(text, on, field);
  return {
    included: terms.filter(({ isNegated }) => !isNegated).flatMap(({ values }) => values),
    excluded: terms.filter(({ isNegated }) => isNegated).flatMap(({ values }) => values),
  };
}

/**
 * The filter with a value of a field added, or removed where it has it: beside other values of the field, one of which is met. Pure function.
 *
 * @param isNegated leaves out what has the value
 */
export function toggledValue(text: string, on: FilterSubject, field: string, value: string, isNegated = false): string {
  const terms = valueTerms(text, on, field);
  const same = terms.find((term) => term.isNegated === isNegated);
  const isChosen = terms.some((term) => term.isNegated === isNegated && term.values.includes(value));
  // From the last, so that the offsets before it stay.
  let next = text;
  for (const term of terms.toReversed()) {
    const others = term.values.filter((one) => one !== value);
    const values = term === same && !isChosen ? [...others, value] : others;
    if (values.length === term.values.length && values.every((one, index) => one === term.values[index])) continue;
    const written = values.length === 0 ? '' : valueTerm(field, values, term.isNegated);
    next = written === '' ? withoutPart(next, term) : next.slice(0, term.start) + written + next.slice(term.end);
  }
  return isChosen || same ? next : withTerm(next, valueTerm(field, [value], isNegated));
}

/** A term that one of some values meets. Pure function. */
export function valueTerm(field: string, values: readonly string[], isNegated = false): string {
  const written = values.map(printText);
  return `${isNegated ? '-' : ''}${field}:${written.length === 1 ? written[0] : `(${written.join(' OR ')})`}`;
}

/** The filter with another condition of a field in place of those that it has at its top; null: none. Pure function. */
export function withCondition(text: string, field: string, condition: string | null): string {
  const terms = topTerms(text) ?? [];
  const rest = terms.filter((term) => term.field === field && !term.isNegated).reduceRight(withoutPart, text);
  return condition === null ? rest : withTerm(rest, `${field}:${condition}`);
}
