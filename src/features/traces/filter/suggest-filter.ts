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

/** The days whose values are suggested. */
const recentDays = 7;
/** Rows of which the keys of metadata and attributes are read, the newest first. */
const keyedRows = 2000;

/** A column, or an expression that gives several values of a row, with the condition that the row has it. */
interface Source {
  table: 'traces' | 'spans' | 'scores' | 'outcomes';
  value: string;
  where?: string;
}

const ofTraces = (value: string): Source => ({ table: 'traces', value });
const ofSpans = (value: string, where?: string): Source => ({ table: 'spans', value, ...(where === undefined ? {} : { where }) });

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
  scored: { table: 'scores', value: 'evaluator' },
  'label.': { table: 'scores', value: 'label' },
  outcome: { table: 'outcomes', value: 'kind' },
};

/** Keys of a field of type `key`. */
const keySources: Readonly<Record<string, Source>> = {
  'score.': { table: 'scores', value: 'evaluator' },
  'passed.': { table: 'scores', value: 'evaluator', where: 'isNotNull(passed)' },
  'label.': { table: 'scores', value: 'evaluator', where: "label != ''" },
  'metadata.': ofSpans('arrayJoin(JSONExtractKeys(metadata))', "metadata != ''"),
  'attribute.': ofSpans('arrayJoin(JSONExtractKeys(attributes))', "attributes != ''"),
};

/**
 * Completions of a filter at the cursor, at most 20: names of fields, operators, values of closed sets, and the values of the last 7 days, the most frequent
 * first (docs/filter.md).
 */
export async function suggestFilter(
  context: TracesContext,
  tenant: Tenant,
  { on, text, cursor }: z.output<typeof filterSuggestionsBody>,
): Promise<FilterCompletion[]> {
  const place = placeAt(text, Math.min(cursor, text.length), on);
  if (place === null) return [];
  const recent = await recentCompletions(readerFor(context, tenant), place, context.clock.now() - recentDays * dayMs);
  return [...knownCompletions(place), ...recent].slice(0, maxCompletions);
}

async function recentCompletions(reader: TenantReader, place: FilterPlace, fromMs: number): Promise<FilterCompletion[]> {
  if (place.kind === 'field') return [];
  const name = place.field.name.replace(/^trace\./, '');
  const source = place.kind === 'key' ? keySources[name] : sources[name];
  if (!source) return [];
  const evaluator = place.kind === 'value' && place.field.type === 'key' ? place.path[0] : undefined;
  // The keys of metadata are asked for at the depth that is written.
  const above = place.kind === 'key' && name === 'metadata.' ? place.prefix.split('.').slice(0, -1) : [];
  const prefix = above.length === 0 ? place.prefix : (place.prefix.split('.').at(-1) ?? '');
  const { text, parameters } = recentValuesSql(source, prefix, fromMs, { evaluator, above });
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
 * @param of the scores of this evaluator alone; the keys within the object of metadata under these keys
 */
export function recentValuesSql(
  { table, value, where }: Source,
  prefix: string,
  fromMs: number,
  { evaluator, above }: { evaluator?: string | undefined; above: readonly string[] },
): SqlPart {
  const conditions = [
    'start_time >= fromUnixTimestamp64Milli({from:Int64})',
    'is_deleted = 0',
    ...(where === undefined ? [] : [where]),
    ...(evaluator === undefined ? [] : ['evaluator = {evaluator:String}']),
  ];
  const isKeyed = value.includes('JSONExtractKeys');
  const keysAbove = Object.fromEntries(above.map((key, index) => [`above${index}`, key]));
  const expression = value.replace(
    '(metadata)',
    `(${['metadata', ...Object.keys(keysAbove).map((name) => `{${name}:String}`)].join(', ')})`,
  );
  const from = isKeyed
    ? `(SELECT metadata, attributes FROM ${table} WHERE ${conditions.join(' AND ')} ORDER BY start_time DESC LIMIT ${keyedRows})`
    : `${table} WHERE ${conditions.join(' AND ')}`;
  return {
    text: `SELECT found FROM (SELECT toString(${expression}) AS found FROM ${from})
WHERE found != '' AND positionCaseInsensitiveUTF8(found, {prefix:String}) > 0
GROUP BY found
ORDER BY startsWith(lower(found), lower({prefix:String})) DESC, count() DESC, found
LIMIT ${maxCompletions}`,
    parameters: { from: fromMs, prefix, ...keysAbove, ...(evaluator === undefined ? {} : { evaluator }) },
  };
}
