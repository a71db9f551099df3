import type { FieldTerm } from './ast.ts';
import { filterFields, operatorsOf } from './fields.ts';
import type { FilterField, FilterSubject } from './fields.ts';
import { findField } from './parse.ts';
import { printField, printText } from './print.ts';
import { Scanner } from './scan.ts';

/** What is written at a place of a filter, and could be completed. Offsets in UTF-16 units. */
export type FilterPlace = { start: number; end: number; prefix: string; on: FilterSubject } & (
  | { kind: 'field' }
  /** The key after a field of type `key`. */
  | { kind: 'key'; field: FilterField }
  | { kind: 'value'; field: FilterField; path: readonly string[] }
);

/** A completion: `insert` replaces the text from `start` to `end`. */
export interface FilterCompletion {
  label: string;
  insert: string;
  start: number;
  end: number;
  kind: 'field' | 'value' | 'operator' | 'history';
}

/** Maximum completions of a place. */
export const maxCompletions = 20;

/** What stands at the cursor; null within the value of something that is no field. */
export function placeAt(text: string, cursor: number, on: FilterSubject): FilterPlace | null {
  const { tokenStart, colon, listField, isQuoted, on: innerOn } = tokenAt(text, cursor, on);
  const end = isQuoted ? endOfQuote(text, cursor) : endOfWord(text, cursor);
  if (colon !== null || listField !== null) {
    const named = listField ?? text.slice(tokenStart, (colon ?? 0) + 1);
    const parts = new Scanner(named).fieldName()?.parts;
    const found = parts ? findField(parts, innerOn) : null;
    const start = colon === null ? tokenStart : colon + 1;
    return found && { kind: 'value', ...found, on: innerOn, start, end, prefix: text.slice(start, cursor).replace(/^["*]+/, '') };
  }
  const start = text[tokenStart] === '-' ? tokenStart + 1 : tokenStart;
  const prefix = text.slice(start, cursor);
  // A name is inserted with its colon.
  const behind = text[end] === ':' ? end + 1 : end;
  const keyed = filterFields[innerOn].find(({ name, type }) => type === 'key' && prefix.startsWith(name));
  return keyed
    ? { kind: 'key', field: keyed, on: innerOn, start, end: behind, prefix: prefix.slice(keyed.name.length).replace(/^"/, '') }
    : { kind: 'field', on: innerOn, start, end: behind, prefix };
}

/** The word at the cursor, with its colon where it is a term, or the field in whose parentheses it stands. */
function tokenAt(text: string, cursor: number, on: FilterSubject) {
  let [tokenStart, isQuoted] = [0, false];
  let colon: number | null = null;
  let listField: string | null = null;
  /** Parentheses that are open, and whether each belongs to `any` or `none`. */
  const open: boolean[] = [];
  const begin = (at: number) => ([tokenStart, colon] = [at, null]);
  for (let at = 0; at < cursor; at++) {
    const character = text[at] ?? '';
    if (isQuoted) {
      if (character === '\\') at++;
      else if (character === '"') isQuoted = false;
    } else if (character === '"') {
      isQuoted = true;
    } else if (character === '(') {
      if (colon === at - 1) listField = text.slice(tokenStart, at);
      else open.push(['any', 'none'].includes(text.slice(tokenStart, at).replace(/^-/, '')));
      begin(at + 1);
    } else if (character === ')') {
      if (listField === null) open.pop();
      listField = null;
      begin(at + 1);
    } else if (/\s/.test(character)) {
      begin(at + 1);
    } else if (character === ':' && colon === null && listField === null) {
      colon = at;
    }
  }
  return { tokenStart, colon, listField, isQuoted, on: open.includes(true) ? ('spans' as const) : on };
}

/** Behind the quotation mark that closes. */
function endOfQuote(text: string, cursor: number): number {
  const close = text.indexOf('"', cursor);
  return close === -1 ? text.length : close + 1;
}

function endOfWord(text: string, cursor: number): number {
  const rest = /^[^\s()":]*/.exec(text.slice(cursor))?.[0].length ?? 0;
  return cursor + rest;
}

/** Completions that are known without data: names of fields, operators, values of closed sets. */
export function knownCompletions(place: FilterPlace): FilterCompletion[] {
  const { start, end, prefix } = place;
  const lower = prefix.toLowerCase();
  switch (place.kind) {
    case 'field': {
      const matching = filterFields[place.on].filter(({ name }) => name.toLowerCase().includes(lower));
      const sorted = matching.toSorted((left, right) => rank(left.name, lower) - rank(right.name, lower));
      return sorted.slice(0, maxCompletions).map(({ name, type }) => ({
        label: name,
        insert: type === 'key' ? name : `${name}:`,
        start,
        end,
        kind: 'field',
      }));
    }
    case 'key':
      return [];
    case 'value': {
      const { field } = place;
      const values = field.values ?? ((field.valueType ?? field.type) === 'boolean' ? ['true', 'false'] : []);
      const operators = prefix === '' && !values.length ? operatorsOf(field).filter((operator) => /^[<>]/.test(operator)) : [];
      return [
        ...valueCompletions(
          place,
          values.filter((value) => value.startsWith(lower)),
        ),
        ...operators.map((operator): FilterCompletion => ({ label: operator, insert: operator, start, end, kind: 'operator' })),
      ];
    }
  }
}

/** Names that begin with what is written come first. */
const rank = (name: string, lower: string) => (name.toLowerCase().startsWith(lower) ? 0 : 1);

/** Values as completions, in quotation marks where they need them. */
export function valueCompletions({ start, end }: FilterPlace, values: readonly string[]): FilterCompletion[] {
  return values.map((value) => ({ label: value, insert: printText(value), start, end, kind: 'value' }));
}

/** Keys of a field as completions. @param paths of each key */
export function keyCompletions(
  { start, end }: FilterPlace,
  field: FilterField,
  paths: ReadonlyArray<FieldTerm['path']>,
): FilterCompletion[] {
  return paths.map((path) => {
    const name = printField({ field, path });
    return { label: name, insert: `${name}:`, start, end, kind: 'field' };
  });
}
