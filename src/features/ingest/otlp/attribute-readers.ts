import { mostAmount } from '../../../contract/ingest.ts';
import { KeyValueList, valueJson } from './attribute.ts';
import type { Present, Reader } from './convention.ts';
import { isRecord } from './parse-json.ts';
import type { SpanView } from './span-view.ts';

/** Longer names and ids are cut: they are columns to filter and group by. The attribute itself is kept whole. */
const longestLabel = 1024;
const mostTags = 100;
const longestTag = 256;

/** A non-empty text; numbers and booleans as text. */
export const label: Reader<string> = (value) => labelOf(value);

export function labelOf(value: unknown): string | undefined {
  switch (typeof value) {
    case 'string':
      return value === '' ? undefined : cut(value, longestLabel);
    case 'number':
    case 'bigint':
    case 'boolean':
      return String(value);
    default:
      return undefined;
  }
}

/** `text`, at most `length` code units, never half a character. */
export function cut(text: string, length: number): string {
  return text.length <= length ? text : text.slice(0, length).toWellFormed();
}

/** A label that the convention writes as a JSON string: `"\"LLM\""`. */
export const jsonLabel: Reader<string> = (value, span) => {
  const parsed = typeof value === 'string' ? span.json(value) : undefined;
  return labelOf(parsed === undefined ? value : parsed);
};

/** A member of a JSON object, as a label. */
export function labelIn(...path: readonly string[]): Reader<string> {
  return (value, span) => labelOf(member(value, span, path));
}

/** A count of tokens: an integer from 0, as a number or as text. */
export const tokens: Reader<number> = (value) => tokensOf(value);

export function tokensOf(value: unknown): number | undefined {
  const number = numberOf(value, Number.MAX_SAFE_INTEGER);
  return number === undefined ? undefined : Math.round(number);
}

/** A count of tokens in a JSON object: the first of `names` that is there. */
export function tokensIn(...paths: readonly (readonly string[])[]): Reader<number> {
  return (value, span) => {
    for (const path of paths) {
      const count = tokensOf(member(value, span, path));
      if (count !== undefined) return count;
    }
    return undefined;
  };
}

/** A number from 0, as a number or as text; larger ones than anything costs, takes or counts are no figures. */
export const amount: Reader<number> = (value) => numberOf(value);

export function numberOf(value: unknown, most = mostAmount): number | undefined {
  let number: number;
  if (typeof value === 'number') number = value;
  else if (typeof value === 'bigint') number = Number(value);
  else if (typeof value === 'string' && value !== '' && value.length < 64) number = Number(value);
  else return undefined;
  return number >= 0 && number <= most ? number : undefined;
}

/** A number of seconds, read as milliseconds. */
export const seconds: Reader<number> = (value) => {
  const number = numberOf(value);
  return number === undefined ? undefined : number * 1000;
};

/** Tags: an array of texts, a JSON array of them, or one text. */
export const tagList: Reader<readonly string[]> = (value, span) => {
  if (typeof value !== 'string') return tagsOf(value);
  const parsed = value.startsWith('[') ? span.json(value) : undefined;
  return tagsOf(Array.isArray(parsed) ? parsed : [value]);
};

/** Tags with commas between them. */
export const commaTags: Reader<readonly string[]> = (value, span) =>
  typeof value === 'string' && !value.startsWith('[') ? tagsOf(value.split(',').map((tag) => tag.trim())) : tagList(value, span);

function tagsOf(value: unknown): readonly string[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const tags = new Set<string>();
  for (const item of value as readonly unknown[]) {
    const tag = labelOf(item);
    if (tag !== undefined && tags.size < mostTags) tags.add(cut(tag, longestTag));
  }
  return tags.size === 0 ? undefined : [...tags];
}

/** A JSON object in a text, or a kvlist as the same. */
export function record(value: Present, span: SpanView): Readonly<Record<string, unknown>> | undefined {
  const text = value instanceof KeyValueList ? valueJson(value) : value;
  const parsed = typeof text === 'string' ? span.json(text) : undefined;
  return isRecord(parsed) ? parsed : undefined;
}

function member(value: Present, span: SpanView, path: readonly string[]): unknown {
  let found: unknown = record(value, span);
  for (const name of path) {
    if (!isRecord(found) || !Object.hasOwn(found, name)) return undefined;
    found = found[name];
  }
  return found;
}
