import type { FieldTerm, FilterValue } from '../../../contract/filter/ast.ts';
import type { Binder } from './binder.ts';
import { keyedTexts } from './span-values.ts';

type Values = FieldTerm['values'];
type ValueOf<T extends FilterValue['type']> = Extract<FilterValue, { type: T }>;

/** The values of one type. */
function ofType<T extends FilterValue['type']>(values: readonly FilterValue[], type: T): Array<ValueOf<T>> {
  return values.filter((value): value is ValueOf<T> => value.type === type);
}

/** What is made of the SQL of each field, by the name of the field. */
export function ofFields<T>(fields: Readonly<Record<string, string>>, make: (expression: string) => T): Record<string, T> {
  return Object.fromEntries(Object.entries(fields).map(([name, expression]) => [name, make(expression)]));
}

const either = (conditions: readonly string[]) =>
  conditions.length === 1 ? (conditions[0] ?? '') : `(${conditions.join(' OR ')})`;

/** That a text, `''` where it is absent, has one of the values. @param expression that is never NULL */
export function textCondition(expression: string, values: Values, binder: Binder): string {
  if (values === null) return `${expression} != ''`;
  const texts = ofType(values, 'text');
  const whole = texts.filter(({ match }) => match === 'whole').map(({ text }) => text);
  const parts = texts.filter(({ match }) => match !== 'whole');
  return either([
    ...(whole.length > 0 ? [`${expression} IN ${binder.bind(whole, 'Array(String)')}`] : []),
    ...parts.map(({ text, match }) => {
      const bound = binder.bind(text, 'String');
      if (match === 'part') return `position(${expression}, ${bound}) > 0`;
      return `${match === 'beginning' ? 'startsWith' : 'endsWith'}(${expression}, ${bound})`;
    }),
  ]);
}

/** That one text of a list has one of the values. */
export function listCondition(expression: string, values: Values, binder: Binder): string {
  if (values === null) return `notEmpty(${expression})`;
  const texts = ofType(values, 'text');
  // Faster than a function for each element.
  if (texts.every(({ match }) => match === 'whole'))
    return `hasAny(${expression}, ${binder.bind(
      texts.map(({ text }) => text),
      'Array(String)',
    )})`;
  return `arrayExists(x -> ${textCondition('x', values, binder)}, ${expression})`;
}

/**
 * That a text contains one of the values, ignoring case.
 *
 * @param isJson the text is JSON, in which a value may stand escaped
 */
export function withinCondition(expression: string, values: Values, binder: Binder, isJson: boolean): string {
  if (values === null) return `${expression} != ''`;
  return either(
    ofType(values, 'text').flatMap(({ text }) => occurrences([expression], text, binder, isJson ? [expression] : [])),
  );
}

/** The conditions, of which one must hold, that the texts of a span contain a text: its name, error, input and output. */
export function searched(text: string, binder: Binder): string[] {
  return occurrences(['name', 'error_message', 'error_code', 'input', 'output'], text, binder, ['input', 'output']);
}

/** The conditions that columns contain a text, ignoring case and without wildcards. @param json those of them that are JSON, in which it may be escaped */
function occurrences(columns: readonly string[], text: string, binder: Binder, json: readonly string[]): string[] {
  const occurs = (column: string, bound: string) => `positionCaseInsensitiveUTF8(${column}, ${bound}) > 0`;
  const bound = binder.bind(text, 'String');
  const escaped = JSON.stringify(text).slice(1, -1);
  const found = columns.map((column) => occurs(column, bound));
  if (escaped === text || json.length === 0) return found;
  const escapedBound = binder.bind(escaped, 'String');
  return [...found, ...json.map((column) => occurs(column, escapedBound))];
}

/** That a number, NULL where it is absent, is within one of the ranges. */
export function numberCondition(expression: string, values: Values, binder: Binder): string {
  if (values === null) return `isNotNull(${expression})`;
  return either(
    ofType(values, 'number').map(({ range: { from, to, isFromOut, isToOut } }) => {
      if (from !== undefined && from === to) return `ifNull(${expression} = ${binder.bind(from, 'Float64')}, 0)`;
      const ends = [
        ...(from === undefined ? [] : [`${expression} ${isFromOut ? '>' : '>='} ${binder.bind(from, 'Float64')}`]),
        ...(to === undefined ? [] : [`${expression} ${isToOut ? '<' : '<='} ${binder.bind(to, 'Float64')}`]),
      ];
      return `ifNull(${ends.join(' AND ')}, 0)`;
    }),
  );
}

/** That a time is within one of the ranges. */
export function momentCondition(expression: string, values: Values, binder: Binder): string {
  if (values === null) return '1';
  const at = (ms: number) => `fromUnixTimestamp64Milli(${binder.bind(Math.min(Math.max(ms, 0), lastMs), 'Int64')})`;
  return either(
    ofType(values, 'time').map(({ range: { fromMs, beforeMs } }) => {
      const ends = [
        ...(fromMs === undefined ? [] : [`${expression} >= ${at(fromMs)}`]),
        ...(beforeMs === undefined ? [] : [`${expression} < ${at(beforeMs)}`]),
      ];
      return `(${ends.join(' AND ')})`;
    }),
  );
}

/** The last millisecond that ClickHouse can store with nanoseconds. */
const lastMs = 9_223_372_036_853;

/** That a boolean, NULL where it is absent, has one of the values. */
export function booleanCondition(expression: string, values: Values): string {
  if (values === null) return `isNotNull(${expression})`;
  return either(ofType(values, 'boolean').map(({ value }) => `ifNull(${expression} = ${Number(value)}, 0)`));
}

/**
 * That the value under a key of JSON, or an element of it where it is an array, has one of the texts or is within one of the ranges. An object is only
 * there; null is not.
 *
 * @param json column with JSON text
 */
export function keyedCondition(json: string, path: readonly string[], values: Values, binder: Binder): string {
  const keys = path.map((key) => binder.bind(key, 'String'));
  if (values === null) return `JSONType(${[json, ...keys].join(', ')}) != 'Null'`;
  const conditions = [
    ...(values.some(({ type }) => type === 'text')
      ? [
          textCondition(
            'v',
            values.filter(({ type }) => type === 'text'),
            binder,
          ),
        ]
      : []),
    ...(values.some(({ type }) => type === 'number') ? [numberCondition('toFloat64OrNull(v)', values, binder)] : []),
  ];
  return `arrayExists(v -> ${either(conditions)}, ${keyedTexts(json, keys)})`;
}
