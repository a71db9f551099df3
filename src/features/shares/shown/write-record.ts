import { nestsDeeper, parseKeepingNumbers } from '../../../platform/json/index.ts';
import type { SharedRecord } from './shared-fields.ts';
import { shownValue } from './shown-value.ts';
import type { Find } from './shown-value.ts';

/** Characters of a payload that are shown. */
const mostOfPayload = 262_144;
/** Characters of the other texts of a record. */
const mostOfFields = 65_536;

/** Levels of a payload that a recursion follows. */
const mostKeptLevels = 1_000;

/** Stands for a text that could not be searched: it is not shown at all. */
const unsearched = '[not shown: it could not be searched for personal data and secrets]';

/** A record as JSON text. */
export interface WrittenRecord {
  json: string;
  /** Characters of its payloads that are shown. */
  shown: number;
  cut: boolean;
}

/**
 * A trace or a span as JSON text.
 *
 * @param most characters of payloads that are left for it
 * @param find null: everything is shown
 */
export function writeRecord({ plain, texts, cut }: SharedRecord, most: number, find: Find | null): WrittenRecord {
  const written: WrittenRecord = { json: '', shown: 0, cut };
  const show = (value: unknown, limit: number): string => {
    const shown = shownValue(value, limit, find);
    if (shown === null) {
      written.cut = true;
      return JSON.stringify(unsearched);
    }
    written.cut ||= shown.cut;
    return shown.json;
  };
  const members = Object.entries(plain)
    .filter(([name]) => name !== 'usage' || texts.tokenClasses === undefined)
    .map(([name, value]) => [name, JSON.stringify(value)]);
  // Fields one by one, if they cannot be searched together.
  const together = shownValue(texts.fields, mostOfFields, find);
  const fields: Array<[string, string]> =
    together !== null && !together.cut
      ? Object.entries(JSON.parse(together.json) as object).map(([name, value]) => [name, JSON.stringify(value)])
      : Object.entries(texts.fields).map(([name, value]) => [name, show(value, mostOfFields)]);
  members.push(...fields);
  if (texts.tokenClasses !== undefined)
    members.push(['usage', JSON.stringify({ ...(plain['usage'] as object), details: classesOf(texts.tokenClasses, find) })]);
  if (texts.errorMessage !== undefined) members.push(['errorMessage', show(texts.errorMessage, mostOfPayload)]);
  for (const [name, json] of Object.entries(texts.payloads)) {
    if (json === '') members.push([name, 'null']);
    else {
      const limit = Math.min(mostOfPayload, Math.max(0, most - written.shown));
      const shown = shownValue(parsed(json), limit, find);
      written.shown += shown?.length ?? 0;
      written.cut ||= shown === null || shown.cut;
      members.push([name, shown?.json ?? JSON.stringify(unsearched)]);
    }
  }
  if (written.cut && 'spanId' in plain) members.push(['truncated', 'true']);
  return { ...written, json: `{${members.map(([name, json]) => `${JSON.stringify(name)}:${json}`).join(',')}}` };
}

/** Tokens by class, with the names as they are shown. */
function classesOf(tokens: Readonly<Record<string, number>>, find: Find | null): Record<string, number> {
  const shown = shownValue(Object.keys(tokens), mostOfFields, find);
  const names = shown === null ? [] : (JSON.parse(shown.json) as string[]);
  return Object.fromEntries(Object.values(tokens).map((count, index) => [names[index] ?? `class ${index + 1}`, count]));
}

/** The value of a stored payload; numbers stay as they were sent. */
function parsed(json: string): unknown {
  const value: unknown = JSON.parse(json);
  return typeof value === 'string' || nestsDeeper(value, mostKeptLevels) ? value : parseKeepingNumbers(json, value);
}
