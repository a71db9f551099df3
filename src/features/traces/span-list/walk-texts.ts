import { allOf } from '../../../platform/clickhouse/index.ts';
import type { SqlPart } from '../../../platform/clickhouse/index.ts';
import { compareCodePoints } from '../../../platform/text/index.ts';
import type { ListPosition } from '../list-cursor.ts';
import { isIndexed, textRows } from '../filter/text-rows.ts';
import { wholeOf } from './time-part.ts';
import type { SpanVersion } from './span-listing.ts';
import type { TimePart } from './time-part.ts';
import { endOfRows, positionBehind, readPositions, restFrom } from './span-positions.ts';
import type { Position, Walk, Walked } from './span-positions.ts';

/** Texts that every span of a list contains. */
export interface SearchedTexts {
  texts: readonly string[];
  /** Whether there is an index of words. */
  hasWords: boolean;
}

/** So many of the nearest rows are read without the index: what is frequent is among them. */
const nearest = 16_384;
/** Each further window has this many times as many rows, so that one hit in a thousand is not looked for in all of them; behind the largest follows the rest. */
const windowGrowth = 16;
const largestWindow = 262_144;
/** So many rows are read at a time where the index cannot find a text. */
const mostRead = 500_000;
/** Spans of one look-up: their ids are parameters of it. */
const chunk = 1000;
const growth = 8;
const mostHits = 16_000;
/** Hits that start in one nanosecond. */
const mostAtATime = 1_000_000;

/**
 * Reads a list of spans, in the order of time, that contain texts: those are found in `span_texts`, and of them the spans that have that version and meet the rest
 * of the filter.
 */
export async function walkTexts(walk: Walk, searched: SearchedTexts, from: ListPosition | null): Promise<Walked> {
  const { descending } = walk.order;
  const whole = wholeOf(walk.listing.range);
  const indexed = searched.hasWords && searched.texts.some(isIndexed);
  const found: Position[] = [];
  let after = from;
  let rest: TimePart = from === null ? whole : restFrom(whole, BigInt(from.value), descending);
  for (let size = nearest; ; size = nextWindow(size, indexed)) {
    const end = Number.isFinite(size) ? await endOfRows(walk, 'span_texts', rest, size) : null;
    const window = end === null ? rest : restFrom(rest, end, !descending);
    const stoppedAt = await walkWindow(walk, { ...searched, hasWords: indexed && size !== nearest }, { window, after, found });
    if (stoppedAt !== null || end === null || found.length >= walk.wanted) return { found, stoppedAt };
    rest = restFrom(rest, descending ? end - 1n : end + 1n, descending);
    after = null;
    if (walk.isOver()) return { found, stoppedAt: positionBehind(end, descending) };
  }
}

/** Rows of the window behind one; infinity for the rest. */
function nextWindow(size: number, indexed: boolean): number {
  const next = size * windowGrowth;
  if (!indexed) return Math.min(next, mostRead);
  return next > largestWindow ? Number.POSITIVE_INFINITY : next;
}

/** Adds the spans of a window to `found`. @returns where the time limit ended it; null when it did not */
async function walkWindow(
  walk: Walk,
  searched: SearchedTexts,
  { window, after: from, found }: { window: TimePart; after: ListPosition | null; found: Position[] },
): Promise<ListPosition | null> {
  const { descending } = walk.order;
  let [rest, after] = [window, from];
  for (let size = 2 * walk.wanted; ; size = Math.min(size * growth, mostHits)) {
    const { hits, endNs } = await nextHits(walk, searched, rest, size);
    const part = endNs === null ? rest : restFrom(rest, endNs, !descending);
    found.push(...(await spansOf(walk, hits, part, after)));
    if (endNs === null || found.length >= walk.wanted) return null;
    rest = restFrom(rest, descending ? endNs - 1n : endNs + 1n, descending);
    after = null;
    if (walk.isOver()) return positionBehind(endNs, descending);
  }
}

/** The next hits of a window, and the start up to which they are all; null when there are no more. Never only some of those that start at the same time. */
async function nextHits(
  walk: Walk,
  searched: SearchedTexts,
  rest: TimePart,
  size: number,
): Promise<{ hits: SpanVersion[]; endNs: bigint | null }> {
  const hits = await readHits(walk, searched, rest, size);
  const last = hits.at(-1)?.startNs;
  if (last === undefined || hits.length < size) return { hits, endNs: null };
  const whole = hits.filter(({ startNs }) => startNs !== last);
  if (whole.length > 0) return { hits: whole, endNs: walk.order.descending ? last + 1n : last - 1n };
  return { hits: await readHits(walk, searched, { fromNs: last, toNs: last }, mostAtATime), endNs: last };
}

async function readHits({ reader, order }: Walk, searched: SearchedTexts, part: TimePart, size: number): Promise<SpanVersion[]> {
  const { text, parameters } = textHitsSql(searched, part, size, order.descending);
  const rows = await reader.query<{ trace_id: string; span_id: string; version: number; value: string }>(text, parameters);
  return rows.map((row) => ({ traceId: row.trace_id, spanId: row.span_id, version: row.version, startNs: BigInt(row.value) }));
}

/** The wanted ones of the spans of hits, in order. */
async function spansOf(
  walk: Walk,
  hits: readonly SpanVersion[],
  part: TimePart,
  after: ListPosition | null,
): Promise<Position[]> {
  const read: Position[] = [];
  for (let at = 0; at < hits.length; at += chunk) {
    const lookUp = { hits: hits.slice(at, at + chunk) };
    read.push(...(await readPositions(walk, after, part, lookUp, walk.wanted)));
  }
  if (hits.length <= chunk) return read;
  const sign = walk.order.descending ? -1 : 1;
  return read
    .toSorted((a, b) => sign * comparePositions(a, b))
    .filter((one, index, all) => index === 0 || comparePositions(one, all[index - 1] ?? one) !== 0);
}

function comparePositions(a: Position, b: Position): number {
  return (
    Number(BigInt(a.position.value) - BigInt(b.position.value)) ||
    compareCodePoints(a.traceId, b.traceId) ||
    compareCodePoints(a.spanId, b.spanId)
  );
}

const startText = 'toString(reinterpretAsInt64(start_time))';

/** SQL of the first rows of a part that contain texts. */
export function textHitsSql({ texts, hasWords }: SearchedTexts, part: TimePart, size: number, descending: boolean): SqlPart {
  const rows = textRows(texts, { hasWords, within: withinPart(part) });
  return {
    text: `SELECT trace_id, span_id, version, ${startText} AS value FROM ${rows.text}
ORDER BY start_time${descending ? ' DESC' : ''}
LIMIT ${size}`,
    parameters: rows.parameters,
  };
}

function withinPart({ fromNs, toNs }: TimePart): SqlPart {
  const bounds = [
    'start_time >= fromUnixTimestamp64Nano({hitFrom:Int64})',
    'start_time <= fromUnixTimestamp64Nano({hitTo:Int64})',
  ];
  return allOf([{ text: bounds.join(' AND '), parameters: { hitFrom: String(fromNs), hitTo: String(toNs) } }]);
}
