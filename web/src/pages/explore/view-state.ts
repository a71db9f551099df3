import type { ViewBody } from '../../api/views.ts';
import type { SavedView } from '../../api/parts.ts';
import { isCustomRange, relativeRanges } from '../../range.ts';
import { subjectOf } from './search.ts';
import type { ExploreSearch } from './search.ts';
import { durationMs } from './range-text.ts';

/** What a saved view keeps of the page. */
export type ViewState = Required<Pick<ViewBody, 'on' | 'filter' | 'columns' | 'sort' | 'range'>>;

/** What the page would save. Days of the viewer's own and free dates are no part of a view. Pure function. */
export function viewStateOf(search: ExploreSearch): ViewState {
  const { filter = '', columns, sort, range } = search;
  return {
    on: subjectOf(search),
    filter,
    columns: columns === undefined ? [] : [columns].flat(),
    sort: sort ?? null,
    range: relativeRanges.find((one) => one === range) ?? null,
  };
}

/**
 * The page as a view has it. A range that the page has no name for is the time until now of that length. Pure function.
 *
 * @param nowMs epoch milliseconds
 */
export function searchOfView({ id, on, filter, columns, sort, range }: SavedView, nowMs: number): ExploreSearch {
  const named = relativeRanges.find((one) => one === range);
  const lengthMs = range === null || named !== undefined ? null : durationMs(range);
  return {
    ...(on === 'traces' ? {} : { on }),
    ...(filter === '' ? {} : { filter }),
    ...(columns.length === 0 ? {} : { columns }),
    ...(sort === null ? {} : { sort }),
    ...(named === undefined ? {} : { range: named }),
    ...(lengthMs === null ? {} : { from: new Date(nowMs - lengthMs).toISOString() }),
    view: id,
  };
}

/** Whether the page differs from a view in what the view keeps. Pure function. */
export function isChanged(search: ExploreSearch, view: SavedView): boolean {
  const { filter, columns, sort, range } = viewStateOf(search);
  const isUnnamed = view.range !== null && !relativeRanges.some((one) => one === view.range);
  // Of a range without a name the page has the start alone.
  const isRangeKept = isUnnamed
    ? search.from !== undefined && search.to === undefined
    : range === view.range && !isCustomRange(search);
  return filter !== view.filter || sort !== view.sort || !isRangeKept || columns.join('\n') !== view.columns.join('\n');
}
