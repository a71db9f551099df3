import type { SelectionBody } from '../../api/jobs.ts';
import { rangeRequest, rangeStart } from '../../range.ts';
import { spanOfKey } from './span-key.ts';
import type { ExploreSearch } from './search.ts';
import type { Ticks } from './ticks.ts';

/** Maximum records that a selection names one by one, or leaves out. */
export const maxNamed = 5_000;

/** Whether all records that match can be selected: by a filter, which a search and some parameters of links are not. */
export function canSelectAll({ q, minScore, maxScore, passed, roots }: ExploreSearch): boolean {
  return [q, minScore, maxScore, passed, roots].every((one) => one === undefined);
}

/**
 * The records of a selection as a request names them: those that are ticked, or all of the list but some. What arrived after the list was opened is none of
 * it. Pure function.
 *
 * @param nowMs when the list was opened
 */
export function selectionOf(search: ExploreSearch, { all, keys }: Ticks, nowMs: number): Omit<SelectionBody, 'action'> {
  const on = search.on === 'spans' ? 'spans' : 'traces';
  const named = [...keys].map((key) => (on === 'spans' ? spanOfKey(key) : key));
  if (!all) return { on, ids: named };
  const { simulated, filter } = search;
  const asked = [filter ?? '', simulated === '1' ? 'source:*' : ''].filter((text) => text !== '');
  const startMs = rangeStart(search, nowMs);
  return {
    on,
    filter: asked.length === 2 ? `(${filter}) source:*` : (asked[0] ?? ''),
    ...(startMs === null ? {} : { from: new Date(startMs).toISOString() }),
    to: rangeRequest(search, nowMs).to ?? new Date(nowMs).toISOString(),
    ...(named.length === 0 ? {} : { except: named }),
  };
}
