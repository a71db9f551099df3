import { dayMs, hourMs } from '../durations.ts';
import { nearName } from '../nearest-name.ts';
import type { FilterValue, MomentRange, NumberRange, TextMatch } from './ast.ts';
import type { FilterField } from './fields.ts';
import { FilterError } from './filter-error.ts';

/** A value as it stands in a filter, before its type is known. */
export interface WrittenValue {
  /** Without quotation marks, escapes, and the stars and the comparison around it. */
  text: string;
  isQuoted: boolean;
  startStar: boolean;
  endStar: boolean;
  comparison: '' | '>' | '>=' | '<' | '<=';
  start: number;
  end: number;
}

/**
 * A value in the type of its field.
 *
 * @param nowMs epoch milliseconds, for moments such as `-2h`
 * Errors: {@link FilterError} for a value of another type, and outside of a closed set.
 */
export function readValue(field: FilterField, value: WrittenValue, nowMs: number): FilterValue {
  const type = field.valueType ?? field.type;
  switch (type) {
    case 'text':
      return textValue(field, value);
    case 'boolean':
      if (value.text !== 'true' && value.text !== 'false') throw wrong(value, `${field.name} is true or false`);
      return { type: 'boolean', value: value.text === 'true' };
    case 'time':
      return { type: 'time', range: momentRange(value, nowMs), written: written(value) };
    case 'key':
      return keyValue(value);
    default:
      return { type: 'number', range: numberRange(value, type), written: written(value) };
  }
}

const written = ({ comparison, text }: WrittenValue) => comparison + text;

function wrong(value: WrittenValue, message: string, suggestion?: string): FilterError {
  return new FilterError(message, value, suggestion);
}

function textValue(field: FilterField, value: WrittenValue): FilterValue {
  if (value.comparison !== '')
    throw wrong(value, `${field.name} is a text; only numbers and times are compared by ${value.comparison}`);
  if (!value.isQuoted && value.text.includes('..') && /\S\.\.\S/.test(value.text)) {
    throw wrong(
      value,
      `${field.name} is a text; only numbers and times have ranges. Put a value with two dots in quotation marks`,
    );
  }
  const match = matchOf(value);
  if (field.values !== undefined && (match !== 'whole' || !field.values.includes(value.text))) {
    throw wrong(value, `${field.name} is one of ${field.values.join(', ')}`, nearName(value.text, field.values));
  }
  return { type: 'text', text: value.text, match };
}

function matchOf({ startStar, endStar }: WrittenValue): TextMatch {
  if (startStar) return endStar ? 'part' : 'end';
  return endStar ? 'beginning' : 'whole';
}

/** A comparison and a range of numbers compare numbers; anything else is a text. */
function keyValue(value: WrittenValue): FilterValue {
  const isRange = !value.isQuoted && plainRange.test(value.text);
  if (value.comparison === '' && !isRange) return { type: 'text', text: value.text, match: matchOf(value) };
  return { type: 'number', range: numberRange(value, 'number'), written: written(value) };
}

const plainRange = /^-?\d+(?:\.\d+)?\.\.-?\d+(?:\.\d+)?$/;
const decimal = /^(-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)([a-z]*)$/i;

type NumberType = 'number' | 'duration' | 'cost';
const units: Readonly<Record<NumberType, Readonly<Record<string, number>>>> = {
  number: { k: 1e3, M: 1e6 },
  duration: { ms: 1, s: 1e3, m: 60_000, h: hourMs },
  cost: {},
};
const wanted: Readonly<Record<NumberType, string>> = {
  number: 'a number, such as 20 or 10k',
  duration: 'a duration, such as 500ms, 2s or 1m',
  cost: 'a number of US dollars, such as 0.05',
};

function numberRange(value: WrittenValue, type: NumberType): NumberRange {
  const [first, second] = ends(value);
  const from = numberOf(first, value, type);
  if (second === undefined) return compared(value.comparison, from);
  const to = numberOf(second, value, type);
  if (to < from) throw wrong(value, 'the first number of a range is not above the second');
  return { from, to };
}

/** The two ends of `a..b`, or the one value. */
function ends(value: WrittenValue): [string, string?] {
  const dots = value.text.indexOf('..');
  if (dots === -1) return [value.text];
  if (value.comparison !== '') throw wrong(value, `a range a..b takes no ${value.comparison}`);
  return [value.text.slice(0, dots), value.text.slice(dots + 2)];
}

function numberOf(text: string, value: WrittenValue, type: NumberType): number {
  const [, digits, unit = ''] = decimal.exec(text) ?? [];
  const factor = unit === '' ? 1 : units[type][unit];
  const number = Number(digits) * (factor ?? Number.NaN);
  if (value.startStar || value.endStar || !Number.isFinite(number)) throw wrong(value, `this must be ${wanted[type]}`);
  return number;
}

function compared(comparison: WrittenValue['comparison'], number: number): NumberRange {
  switch (comparison) {
    case '>':
      return { from: number, isFromOut: true };
    case '>=':
      return { from: number };
    case '<':
      return { to: number, isToOut: true };
    case '<=':
      return { to: number };
    default:
      return { from: number, to: number };
  }
}

function momentRange(value: WrittenValue, nowMs: number): MomentRange {
  const [first, second] = ends(value);
  const from = momentOf(first, value, nowMs);
  if (second !== undefined) {
    const { beforeMs } = momentOf(second, value, nowMs);
    if (beforeMs <= from.fromMs) throw wrong(value, 'the first time of a range is not after the second');
    return { fromMs: from.fromMs, beforeMs };
  }
  switch (value.comparison) {
    case '>':
      return { fromMs: from.beforeMs };
    case '>=':
      return { fromMs: from.fromMs };
    case '<':
      return { beforeMs: from.fromMs };
    case '<=':
      return { beforeMs: from.beforeMs };
    default:
      return from;
  }
}

const ago = /^-(\d{1,6})([mhd])$/;
const date = /^\d{4}-\d\d-\d\d$/;
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d)$/;
const agoMs = { m: 60_000, h: hourMs, d: dayMs };

/** A whole UTC day, or a millisecond. */
function momentOf(text: string, value: WrittenValue, nowMs: number): Required<MomentRange> {
  const [, count, unit] = ago.exec(text) ?? [];
  if (count !== undefined) return millisecond(nowMs - Number(count) * agoMs[unit as keyof typeof agoMs]);
  const ms = date.test(text) || instant.test(text) ? Date.parse(text) : Number.NaN;
  // `Date.parse` takes February 30 for March 1 or 2.
  const exists = !Number.isNaN(ms) && (!date.test(text) || new Date(ms).toISOString().startsWith(text));
  if (!exists || value.startStar || value.endStar) {
    throw wrong(value, 'this must be a time, such as 2026-11-20, 2026-11-20T10:00Z or -2h');
  }
  return date.test(text) ? { fromMs: ms, beforeMs: ms + dayMs } : millisecond(ms);
}

const millisecond = (ms: number): Required<MomentRange> => ({ fromMs: ms, beforeMs: ms + 1 });
