import { maxAmount } from '../../../contract/ingest.ts';
import { isRecord } from '../../../platform/json/index.ts';
import { cutText } from '../../../platform/text/index.ts';
import { KeyValueList, valueJson, type PresentValue } from '../wire/attribute.ts';
import type { Reader } from './convention.ts';
import type { SpanView } from './span-view.ts';

/** As of native events. Longer names and ids are cut, since they are columns to filter and group by; the stored attribute is not: docs/semantics.md, "OTLP attributes". */
const maxLabelLength = 4096;
const maxTags = 100;
const maxTagLength = 256;

/** Reads a non-empty text, a number or a boolean as text. */
export const label: Reader<string> = (value) => labelOf(value);

export function labelOf(value: unknown): string | undefined {
  switch (typeof value) {
    case 'string':
      return value === '' ? undefined : cutText(value, maxLabelLength);
    case 'number':
    case 'bigint':
    case 'boolean':
      return String(value);
    default:
      return undefined;
  }
}

/** Reads a version: an integer from 0 as a number, anything else as {@link label} does. */
export const version: Reader<string | number> = (value) => versionOf(value);

export function versionOf(value: unknown): string | number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : labelOf(value);
}

/** Reads a label that may be encoded as a JSON string: `"\"LLM\""`. */
export const jsonLabel: Reader<string> = (value, span) => {
  const parsed = typeof value === 'string' ? span.json(value) : undefined;
  return labelOf(parsed === undefined ? value : parsed);
};

/** Reads a member of a JSON object as a label. */
export function labelIn(...path: readonly string[]): Reader<string> {
  return (value, span) => labelOf(member(value, span, path));
}

/** Reads a token count: a number from 0, or a text that holds one, rounded to an integer. */
export const tokens: Reader<number> = (value) => tokensOf(value);

export function tokensOf(value: unknown): number | undefined {
  const number = numberOf(value, Number.MAX_SAFE_INTEGER);
  return number === undefined ? undefined : Math.round(number);
}

/** Reads a token count from a JSON object, at the first of `paths` that holds one. */
export function tokensIn(...paths: readonly (readonly string[])[]): Reader<number> {
  return (value, span) => {
    for (const path of paths) {
      const count = tokensOf(member(value, span, path));
      if (count !== undefined) return count;
    }
    return undefined;
  };
}

/** Reads a number from 0 to `maxAmount`, or a text that holds one. */
export const amount: Reader<number> = (value) => numberOf(value);

export function numberOf(value: unknown, max = maxAmount): number | undefined {
  let number: number;
  if (typeof value === 'number') number = value;
  else if (typeof value === 'bigint') number = Number(value);
  else if (typeof value === 'string' && value !== '' && value.length < 64) number = Number(value);
  else return undefined;
  return number >= 0 && number <= max ? number : undefined;
}

/** Reads seconds as milliseconds. */
export const seconds: Reader<number> = (value) => {
  const number = numberOf(value);
  return number === undefined ? undefined : number * 1000;
};

/** Milliseconds from the span's start to a time in epoch milliseconds; undefined before the start. */
export function sinceStart(atMs: number, span: SpanView): number | undefined {
  const ms = atMs - Number(span.span?.startNs ?? 0n) / 1e6;
  return ms >= 0 ? ms : undefined;
}

/** Reads a time in text, or in JSON text (`"\"2026-11-20T10:00:00.000Z\""`), as milliseconds from the span's start. */
export const timeSinceStart: Reader<number> = (value, span) => {
  const text = jsonLabel(value, span);
  return text === undefined ? undefined : sinceStart(Date.parse(text), span);
};

/** Reads tags: an array of texts, a JSON array of texts, or one text. */
export const tagList: Reader<readonly string[]> = (value, span) => {
  if (typeof value !== 'string') return tagsOf(value);
  const parsed = value.startsWith('[') ? span.json(value) : undefined;
  return tagsOf(Array.isArray(parsed) ? parsed : [value]);
};

/** Reads tags separated by commas, or as {@link tagList} does. */
export const commaTags: Reader<readonly string[]> = (value, span) =>
  typeof value === 'string' && !value.startsWith('[') ? tagsOf(value.split(',').map((tag) => tag.trim())) : tagList(value, span);

function tagsOf(value: unknown): readonly string[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const tags = new Set<string>();
  for (const item of value as readonly unknown[]) {
    const tag = labelOf(item);
    if (tag !== undefined && tags.size < maxTags) tags.add(cutText(tag, maxTagLength));
  }
  return tags.size === 0 ? undefined : [...tags];
}

/** A kvlist value, or a text that is a JSON object or a Python dictionary, as an object; undefined for anything else. */
export function record(value: PresentValue, span: SpanView): Readonly<Record<string, unknown>> | undefined {
  const text = value instanceof KeyValueList ? valueJson(value) : value;
  if (typeof text !== 'string') return undefined;
  const parsed = span.json(text) ?? span.pythonLiteral(text);
  return isRecord(parsed) ? parsed : undefined;
}

function member(value: PresentValue, span: SpanView, path: readonly string[]): unknown {
  let found: unknown = record(value, span);
  for (const name of path) {
    if (!isRecord(found) || !Object.hasOwn(found, name)) return undefined;
    found = found[name];
  }
  return found;
}
