import { z } from 'zod';
import { decodeCursor, encodeCursor } from '../../../platform/keyset/index.ts';
import type { Answer } from '../tool.ts';
import { cutFields } from './cut.ts';
import { fits } from './tool-result.ts';

/** A list in an answer: the names of the fields that lead to it. */
export type ListPath = readonly [string, ...string[]];

/** An entry of one of the lists. */
export interface Entry {
  path: ListPath;
  value: unknown;
}

export interface Entries {
  /** The fields beside the lists. */
  head: Answer;
  paths: readonly ListPath[];
  /** The entries from the cursor on, in the order of the pages. */
  entries: readonly Entry[];
  /** Whether there are entries after them. */
  more: boolean;
  /** The cursor of the page after the first `count` of the entries. */
  cursorAfter(count: number): string;
  /** Makes the head shorter; default: its fields are cut. */
  shortenHead?: (head: Answer, limit: number) => Answer;
  /** Makes an entry shorter; default: its fields are cut. */
  shorten?: (value: unknown, limit: number) => unknown;
}

/** Characters of a field of an entry and of the head: the largest of these with which an entry fits. */
const fieldLimits = [1_000, 200, 40] as const;
/** More entries never fit. */
const maxEntries = 200;

/** The number of entries before a page. Errors: `invalid_request`. */
export function offsetOf(cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  return decodeCursor(cursor, z.tuple([z.int().min(1).max(10_000_000)]))[0];
}

/** The cursor of {@link offsetOf}. */
export function offsetCursor(offset: number): string {
  return encodeCursor([offset]);
}

/**
 * A page of an answer that has several lists: the fields beside them, and as many entries as fit. The pages go through the lists one after the
 * other; a list that is on another page is empty.
 *
 * @param answer the whole answer
 * Errors: `invalid_request` for the cursor of another list.
 */
export function listsThatFit(answer: Answer, paths: readonly ListPath[], cursor: string | undefined): Answer {
  const all = paths.flatMap((path) => listAt(answer, path).map((value) => ({ path, value })));
  const from = offsetOf(cursor);
  const entries = all.slice(from, from + maxEntries);
  const more = from + entries.length < all.length;
  return entriesThatFit({
    head: without(answer, paths),
    paths,
    entries,
    more,
    cursorAfter: (count) => offsetCursor(from + count),
  });
}

/** As many of some entries as fit, with the cursor of those that are left. */
export function entriesThatFit({
  head,
  paths,
  entries,
  more,
  cursorAfter,
  shorten = short,
  shortenHead = cutFields,
}: Entries): Answer {
  for (const limit of fieldLimits) {
    const shortHead = shortenHead(head, limit);
    const shortEntries = entries.map(({ path, value }) => ({ path, value: shorten(value, limit) }));
    const page = (count: number): Answer => {
      const built = structuredClone(shortHead);
      for (const path of paths) setAt(built, path, []);
      for (const { path, value } of shortEntries.slice(0, count)) listAt(built, path).push(value);
      return { ...built, nextCursor: more || count < entries.length ? cursorAfter(count) : null };
    };
    const fitting = largestThatFits(entries.length, page);
    if (fitting !== null || limit === fieldLimits.at(-1)) return page(fitting ?? 1);
  }
  throw new Error('there is no limit of fields');
}

/** The largest number of entries, up to `last`, with which the page fits; null when not one of several does. */
function largestThatFits(last: number, page: (count: number) => Answer): number | null {
  const least = Math.min(1, last);
  if (!fits(page(least))) return null;
  let low = least;
  let high = last;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(page(middle))) low = middle;
    else high = middle - 1;
  }
  return low;
}

function short(value: unknown, limit: number): unknown {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? cutFields(value as Answer, limit) : value;
}

function listAt(answer: Answer, path: ListPath): unknown[] {
  let value: unknown = answer;
  for (const name of path) value = (value as Answer | undefined)?.[name];
  return Array.isArray(value) ? value : [];
}

/** The answer without its lists; objects that lead to a list keep their other fields. */
function without(answer: Answer, paths: readonly ListPath[]): Answer {
  const copy: Answer = { ...answer };
  for (const path of paths) {
    let at = copy;
    for (const name of path.slice(0, -1)) at = at[name] = { ...(at[name] as Answer) };
    delete at[path.at(-1) ?? ''];
  }
  return copy;
}

function setAt(answer: Answer, path: ListPath, value: unknown[]): void {
  let at = answer;
  for (const name of path.slice(0, -1)) at = (at[name] ??= {}) as Answer;
  at[path.at(-1) ?? ''] = value;
}
