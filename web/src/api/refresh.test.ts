import { InfiniteQueryObserver, QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { refreshShown } from './refresh.ts';

let client: QueryClient;
let read: string[];
let stop: Array<() => void>;

/** Shows a query, as a component does. */
function show(name: string): void {
  const observer = new QueryObserver(client, { queryKey: [name], queryFn: () => read.push(name), staleTime: Infinity });
  stop.push(observer.subscribe(() => undefined));
}

/** Shows a list of which some pages are loaded. */
async function showList(name: string, pages: number): Promise<void> {
  const observer = new InfiniteQueryObserver(client, {
    queryKey: [name],
    queryFn: ({ pageParam }) => read.push(`${name} ${pageParam}`) && pageParam,
    initialPageParam: 1,
    getNextPageParam: (last: number) => last + 1,
    staleTime: Infinity,
  });
  stop.push(observer.subscribe(() => undefined));
  await observer.refetch();
  for (let page = 1; page < pages; page += 1) await observer.fetchNextPage();
}

beforeEach(() => {
  client = new QueryClient();
  [read, stop] = [[], []];
});
afterEach(() => {
  for (const end of stop) end();
  client.clear();
});

test('what is shown is read again; the session, which decides about forms, is not', async () => {
  for (const name of ['overview', 'session']) show(name);
  client.setQueryData(['left'], 'no component shows it');
  await client.getQueryCache().find({ queryKey: ['session'] })?.promise;
  read = [];
  await refreshShown(client, 'reload');
  expect(read).toEqual(['overview']);
});

test('a list that is being read stays when the viewer returns, and begins anew on request', async () => {
  show('overview');
  await showList('short', 1);
  await showList('long', 3);
  read = [];
  await refreshShown(client, 'keep');
  expect(read).toEqual(['overview', 'short 1']);
  read = [];
  await refreshShown(client, 'reload');
  expect(read).toEqual(['overview', 'short 1', 'long 1', 'long 2', 'long 3']);
});
