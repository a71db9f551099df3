import { QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { destinationsOf, navigationGroups } from './frame/navigation.ts';
import { createDashboardRouter } from './router.tsx';

test('each listed page has a title and a key of its own', () => {
  const listed = destinationsOf(createDashboardRouter(new QueryClient()));
  expect(listed.length).toBeGreaterThan(8);
  const titles = listed.map(({ title }) => title);
  const keys = listed.flatMap(({ key }) => key ?? []);
  expect(titles).toEqual([...new Set(titles)]);
  expect(keys).toEqual([...new Set(keys)]);
  // The key that begins every shortcut of a page.
  expect(keys).not.toContain('g');
});

test('the sidebar lists every page in a group, in the order of the groups, and settings below', () => {
  const listed = destinationsOf(createDashboardRouter(new QueryClient())).filter(({ aside }) => aside !== true);
  expect(listed.filter(({ group }) => group === undefined).map(({ title }) => title)).toEqual(['Settings']);
  const groups = listed.flatMap(({ group }) => group ?? []);
  expect(groups).toEqual(navigationGroups.flatMap((group) => groups.filter((one) => one === group)));
});
