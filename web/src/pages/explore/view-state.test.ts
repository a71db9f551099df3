import { expect, test } from 'vitest';
import type { SavedView } from '../../api/parts.ts';
import { readExploreSearch } from './search.ts';
import { isChanged, searchOfView, viewStateOf } from './view-state.ts';

const now = Date.parse('2026-11-20T10:00:00Z');
const view: SavedView = {
  id: 'v',
  name: 'Failures',
  on: 'spans',
  filter: 'status:error',
  columns: ['name', 'model~200'],
  sort: '-cost',
  range: '7d',
  visibility: 'private',
  pinned: false,
  createdBy: 'a@example.com',
  createdAt: '2026-11-20T00:00:00.000Z',
  updatedAt: '2026-11-20T00:00:00.000Z',
};

test('a view is the page again, and keeps what it kept', () => {
  const search = searchOfView(view, now);
  expect(readExploreSearch({ ...search })).toEqual(search);
  const { on, filter, columns, sort, range } = view;
  expect(viewStateOf(search)).toEqual({ on, filter, columns, sort, range });
  expect(isChanged(search, view)).toBe(false);
});

test.each([
  [{ filter: 'status:ok' }],
  [{ sort: undefined }],
  [{ columns: ['name'] }],
  [{ range: '30d' as const }],
  [{ range: undefined, from: '2026-11-01T00:00:00.000Z' }],
])('%j is a change', (change) => {
  expect(isChanged({ ...searchOfView(view, now), ...change }, view)).toBe(true);
});

test('a range without a name on the page is the time until now', () => {
  const unnamed = { ...view, range: '6h' };
  const search = searchOfView(unnamed, now);
  expect(search).toMatchObject({ from: '2026-11-20T04:00:00.000Z' });
  expect(isChanged(search, unnamed)).toBe(false);
  expect(isChanged({ ...search, to: '2026-11-20T05:00:00.000Z' }, unnamed)).toBe(true);
  const plain = { ...view, on: 'traces' as const, filter: '', columns: [], sort: null, range: null };
  expect(searchOfView(plain, now)).toEqual({ view: 'v' });
  expect(viewStateOf({ range: 'today' }).range).toBeNull();
});
