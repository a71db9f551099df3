import { indented } from '../../../platform/clickhouse/index.ts';
import type { SqlPart, TenantReader } from '../../../platform/clickhouse/index.ts';
import type { SearchPort } from '../../trace-store/index.ts';
import type { Filter } from '../../../contract/filter/ast.ts';
import type { TimeRange } from '../time-range.ts';
import { isIndexed, textRows } from '../filter/text-rows.ts';
import type { TextReading } from '../filter/text-reading.ts';
import { requiredTexts, textsOf } from '../filter/texts-of.ts';

/** Up to this number of spans, what contains a text is looked up at once. */
const maxOfARare = 2_000;
/** Up to this number a query may hold the ids of all of them. */
const maxHeld = 200_000;

/** How the texts of one request are searched in `span_texts`. */
export interface TextSearch {
  hasWords: boolean;
  /** One of the required texts is in few spans. */
  isRare: boolean;
  /** No text is in so many spans that their ids cannot be held at once. */
  isHeld: boolean;
}

/**
 * Counts, up to a limit, the spans that contain each text of a request, where the index of words finds them.
 *
 * @param texts that the request searches
 * @param required those that everything must contain that it returns
 * @param within the rows that are read, a condition on `start_time`; null: all
 * @returns null where texts are searched in the spans: without a text, and while the texts of a project's earlier spans are copied
 */
export async function searchTexts(
  search: SearchPort,
  reader: TenantReader,
  projectId: string,
  texts: readonly string[],
  { required = texts, within = null }: { required?: readonly string[]; within?: SqlPart | null } = {},
): Promise<TextSearch | null> {
  if (texts.length === 0 || !(await search.isWhole(projectId))) return null;
  const { hasWords } = search;
  let [isRare, isHeld] = [false, true];
  for (const text of new Set(texts)) {
    // To count what the index cannot find takes as long as to find it.
    if (!hasWords || !isIndexed(text)) {
      isHeld = false;
      continue;
    }
    const { text: sql, parameters } = hitsSql([text], { hasWords, within });
    const [row] = await reader.query<{ hits: number }>(sql, parameters);
    const hits = row?.hits ?? 0;
    if (hits <= maxOfARare && required.includes(text)) isRare = true;
    if (hits > maxHeld) isHeld = false;
  }
  return { hasWords, isRare, isHeld };
}

/** SQL of the number of stored spans, also replaced ones, that contain texts; at most one more than a query may hold. */
export function hitsSql(texts: readonly string[], reading: TextReading): SqlPart {
  const rows = textRows(texts, reading);
  return {
    text: `SELECT count() AS hits FROM (\n  SELECT 1 FROM ${indented(rows.text, 2)}\n  LIMIT ${maxHeld + 1}\n)`,
    parameters: rows.parameters,
  };
}

/** How a query over all of a list reads texts; null: in the spans. */
export function readingOfAll(search: TextSearch | null): TextReading | null {
  return search?.isHeld === true ? { hasWords: search.hasWords, within: null } : null;
}

/**
 * How the texts of a filter on spans are read where its list is read as a whole; null: in the spans.
 *
 * @param range in which the spans start
 */
export async function readingOfSpans(
  search: SearchPort,
  reader: TenantReader,
  projectId: string,
  filter: Filter | null,
  range: TimeRange,
): Promise<TextReading | null> {
  if (filter === null) return null;
  const texts = textsOf(filter);
  // A text in `any` or `none` may be in spans of the trace outside of the range.
  const isOfRange = texts.length === requiredTexts(filter).length;
  const within = isOfRange ? startedIn(range) : null;
  const found = await searchTexts(search, reader, projectId, texts, { within });
  return found?.isHeld === true ? { hasWords: found.hasWords, within } : null;
}

const startedIn = ({ fromNs, beforeNs }: TimeRange): SqlPart => ({
  text: 'start_time >= fromUnixTimestamp64Nano({textFrom:Int64}) AND start_time < fromUnixTimestamp64Nano({textBefore:Int64})',
  parameters: { textFrom: String(fromNs), textBefore: String(beforeNs) },
});
