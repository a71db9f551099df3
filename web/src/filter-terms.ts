import type { FilterSubject } from '../../src/contract/filter/fields.ts';
import { FilterError } from '../../src/contract/filter/filter-error.ts';
import { parseFilter } from '../../src/contract/filter/parse.ts';
import { Scanner } from '../../src/contract/filter/scan.ts';

/** A part of a filter's text, for its colours. Offsets in UTF-16 units. */
export interface FilterToken {
  type: 'field' | 'value' | 'keyword' | 'text' | 'bracket';
  start: number;
  end: number;
}

/** Where one of the terms stands that all must be met, with its NOT or `-`. Offsets in UTF-16 units. */
export type FilterTerm = Pick<FilterToken, 'start' | 'end'>;

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
  let [depth, start] = [0, -1];
  const tokens = filterTokens(text);
  for (const [index, token] of tokens.entries()) {
    const written = text.slice(token.start, token.end);
    if (start === -1) start = token.start;
    if (token.type === 'bracket') depth = Math.max(0, depth + (written === '(' ? 1 : -1));
    if (depth > 0) continue;
    if (token.type === 'keyword') {
      if (written === 'OR') return null;
      if (written === 'AND') start = -1;
      continue;
    }
    // The value of a field belongs to it.
    if (token.type === 'field' && tokens[index + 1]?.start === token.end) continue;
    terms.push({ start, end: token.end });
    start = -1;
  }
  return terms;
}

/** The text without a part, and without the blanks that it leaves. Pure function. */
export function withoutPart(text: string, { start, end }: FilterTerm): string {
  const above = text.slice(0, start).trimEnd();
  const before = /\bAND$/.test(above) ? above.slice(0, -'AND'.length).trimEnd() : above;
  const below = text.slice(end).trimStart();
  const behind = /^AND\b/.test(below) ? below.slice('AND'.length).trimStart() : below;
  return before === '' || behind === '' ? before + behind : `${before} ${behind}`;
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
