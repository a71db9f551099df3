import type { z } from 'zod';
import {
  keyCompletions,
  knownCompletions,
  maxCompletions,
  placeAt,
  valueCompletions,
} from '../../../contract/filter/complete.ts';
import type { FilterCompletion, FilterPlace } from '../../../contract/filter/complete.ts';
import { dayMs } from '../../../contract/durations.ts';
import type { filterSuggestionsBody } from '../../../contract/traces.ts';
import type { SqlPart, TenantReader } from '../../../platform/clickhouse/index.ts';
import type { Tenant } from '../../../platform/http/index.ts';
import { readerFor } from '../traces-context.ts';
import type { TracesContext } from '../traces-context.ts';
import { isSaidMadeSql } from '../../records/index.ts';
import { attributesSql } from '../../trace-store/index.ts';
import { keyedTexts, triggeredGuardrails } from './span-values.ts';

/** The days whose values are suggested. */
const recentDays = 7;
/** Rows of which JSON and ids are read, the newest first, and those of which names are. */
const fewRows = 2000;
const manyRows = 50_000;
/** Longer values are not offered, bytes. */
const longestValue = 400;

/** A column, or an expression that gives several values of a row, with the condition that the row has it. */
interface Source {
  table: 'traces' | 'spans' | 'span_texts' | 'scores' | 'outcomes';
  /** @param keys placeholders of the path to what is asked for in JSON */
  value(keys: readonly string[]): string;
  where?: string;
  /** The column that is read of so many rows, the newest first; without it all of the days are. */
  newest?: { column: string; rows: number };
}

const of =
  (table: Source['table']) =>
  (value: string, where?: string): Source => ({ table, value: () => value, ...(where === undefined ? {} : { where }) });
const [ofSpans, ofScores, ofOutcomes] = [of('spans'), of('scores'), of('outcomes')];
// Of those that lists have.
const ofTraces = (value: string) => of('traces')(value, `NOT ${isSaidMadeSql}`);
const ofNewest = (table: Source['table'], column: string, rows: number, where?: string): Source => ({
  ...of(table)(column, where),
  newest: { column, rows },
});
/** The keys of an object in a column of JSON. @param json SQL of the JSON */
const keysOf = (column: string, json = column): Source => ({
  table: 'spans',
  value: (keys) => `arrayJoin(JSONExtractKeys(${[json, ...keys].join(', ')}))`,
  where: `${column} != ''`,
  newest: { column, rows: fewRows },
});
/** The values under a key of a column of JSON. @param json SQL of the JSON */
const valuesOf = (column: string, json = column): Source => ({
  table: 'spans',
  value: (keys) => `arrayJoin(${keyedTexts(json, keys)})`,
  where: `${column} != ''`,
  newest: { column, rows: fewRows },
});

/** Where the values of a field are found. Fields with free texts, numbers and times have none. */
const sources: Readonly<Record<string, Source>> = {
  name: ofTraces('name'),
  model: ofTraces('arrayJoin(models)'),
  agent: ofTraces('arrayJoin(agents)'),
  environment: ofTraces('environment'),
  release: ofTraces('release'),
  session: ofTraces('session_id'),
  user: ofTraces('user_id'),
  tag: ofTraces('arrayJoin(tags)'),
  errorCode: ofSpans('error_code', "status = 'error'"),
  provider: ofSpans('provider'),
  operation: ofSpans('operation'),
  tool: ofSpans("if(tool_name = '', name, tool_name)", "kind = 'tool'"),
  service: ofSpans('service'),
  prompt: ofSpans('prompt_name'),
  promptVersion: ofSpans('prompt_version'),
  trace: ofNewest('traces', 'trace_id', fewRows, `NOT ${isSaidMadeSql}`),
  span: ofNewest('span_texts', 'span_id', fewRows, "span_id != ''"),
  guardrail: ofSpans(`arrayJoin(${triggeredGuardrails})`, "kind = 'guardrail'"),
  scored: ofScores('evaluator'),
  'label.': ofScores('label'),
  outcome: ofOutcomes('kind'),
  'metadata.': valuesOf('metadata'),
  'attribute.': valuesOf('attributes', attributesSql),
};

/** Where the values of a span's own field are found, other than those of a trace. `span_texts` is sorted by time. */
const ownSources: typeof sources = { name: ofNewest('span_texts', 'name', manyRows, "span_id != ''") };

/** Keys of a field of type `key`. */
const keySources: Readonly<Record<string, Source>> = {
  'score.': ofScores('evaluator'),
  'passed.': ofScores('evaluator', 'isNotNull(passed)'),
  'label.': ofScores('evaluator', "label != ''"),
  'metadata.': keysOf('metadata'),
  'attribute.': keysOf('attributes', attributesSql),
};

/**
 * Completions of a filter at the cursor, at most 20: names of fields, values of closed sets, the values of the last 7 days, the most frequent first, and
 * operators (docs/filter.md).
 */
export async function suggestFilter(
  context: TracesContext,
  tenant: Tenant,
  { on, text, cursor }: z.output<typeof filterSuggestionsBody>,
): Promise<FilterCompletion[]> {
  const place = placeAt(text, Math.min(cursor, text.length), on);
  if (place === null) return [];
  const recent = await recentCompletions(readerFor(context, tenant), place, context.clock.now() - recentDays * dayMs);
  const known = knownCompletions(place);
  const [operators, others] = [true, false].map((wanted) => known.filter(({ kind }) => (kind === 'operator') === wanted));
  return [...(others ?? []), ...recent, ...(operators ?? [])].slice(0, maxCompletions);
}

async function recentCompletions(reader: TenantReader, place: FilterPlace, fromMs: number): Promise<FilterCompletion[]> {
  if (place.kind === 'field') return [];
  const name = place.field.name.replace(/^trace\./, '');
  const own = place.on === 'spans' ? ownSources[place.field.name] : undefined;
  const source = place.kind === 'key' ? keySources[name] : (own ?? sources[name]);
  if (!source) return [];
  const path = place.kind === 'value' ? place.path : [];
  const evaluator = name === 'label.' ? path[0] : undefined;
  // The keys of metadata are asked for at the depth that is written.
  const above = place.kind === 'key' && name === 'metadata.' ? place.prefix.split('.').slice(0, -1) : [];
  const prefix = above.length === 0 ? place.prefix : (place.prefix.split('.').at(-1) ?? '');
  const within = evaluator === undefined ? [...path, ...above] : [];
  const { text, parameters } = recentValuesSql(source, prefix, fromMs, { evaluator, path: within });
  const rows = await reader.query<{ found: string }>(text, parameters);
  const values = rows.map(({ found }) => found);
  return place.kind === 'key'
    ? keyCompletions(
        place,
        place.field,
        values.map((value) => [...above, value]),
      )
    : valueCompletions(place, values);
}

/**
 * SQL of the most frequent values that contain a text. Replaced rows are counted too: the order is what it serves.
 *
 * @param of the scores of this evaluator alone; what is under this path of JSON
 */
export function recentValuesSql(
  { table, value, where, newest }: Source,
  prefix: string,
  fromMs: number,
  { evaluator, path }: { evaluator?: string | undefined; path: readonly string[] },
): SqlPart {
  const conditions = [
    'start_time >= fromUnixTimestamp64Milli({from:Int64})',
    'is_deleted = 0',
    ...(where === undefined ? [] : [where]),
    ...(evaluator === undefined ? [] : ['evaluator = {evaluator:String}']),
  ].join(' AND ');
  const keys = Object.fromEntries(path.map((key, index) => [`key${index}`, key]));
  const expression = value(Object.keys(keys).map((name) => `{${name}:String}`));
  const from =
    newest === undefined
      ? `${table} WHERE ${conditions}`
      : `(SELECT ${newest.column} FROM ${table} WHERE ${conditions} ORDER BY start_time DESC LIMIT ${newest.rows})`;
  return {
    text: `SELECT found FROM (SELECT toString(${expression}) AS found FROM ${from})
WHERE found != '' AND length(found) <= ${longestValue} AND positionCaseInsensitiveUTF8(found, {prefix:String}) > 0
GROUP BY found
ORDER BY startsWith(lower(found), lower({prefix:String})) DESC, count() DESC, found
LIMIT ${maxCompletions}`,
    parameters: { from: fromMs, prefix, ...keys, ...(evaluator === undefined ? {} : { evaluator }) },
  };
}
