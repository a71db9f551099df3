import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import type { ReactNode } from 'react';
import { failureOf } from '../../api/failure-of.ts';
import type { UserSort } from '../../api/parts.ts';
import type { ApplicationUser } from '../../api/service.ts';
import { useMore } from '../../api/use-pages.ts';
import { usersQuery } from '../../api/users.ts';
import { Button } from '../../design/button.tsx';
import { classNames } from '../../design/class-names.ts';
import { readSort } from '../../design/column.ts';
import { DataTable } from '../../design/data-table.tsx';
import { ListEnd } from '../../design/list-end.tsx';
import { SearchBox } from '../../design/search-box.tsx';
import { Empty, Failure, PageSkeleton } from '../../design/states.tsx';
import { countedExactly } from '../../format/number-format.ts';
import { ExploreSwitch } from '../../frame/explore-switch.tsx';
import { Page } from '../../frame/page.tsx';
import { useProject } from '../../frame/project-context.ts';
import { QueryBar } from '../../frame/query-bar.tsx';
import { RangePicker } from '../../frame/range-picker.tsx';
import { SendDataLink } from '../../frame/send-data-link.tsx';
import { useNow } from '../../frame/use-now.ts';
import { pages } from '../../paths.ts';
import { linkRange } from '../../range.ts';
import { usersRequest } from './search.ts';
import type { UsersSearch } from './search.ts';
import { userColumns } from './user-columns.tsx';

/** The list of the users of the application. */
export default function UsersPage(): ReactNode {
  const { at, projectId } = useProject();
  const search = useSearch({ from: '/o/$org/p/$project/users' });
  const navigate = useNavigate();
  const nowMs = useNow(search);
  const request = useMemo(() => usersRequest(search, nowMs), [search, nowMs]);
  const query = useInfiniteQuery({ ...usersQuery(projectId, request), placeholderData: keepPreviousData });
  const range = useMemo(() => linkRange(search), [search]);
  const columns = useMemo(() => userColumns(at, range), [at, range]);
  const users = useMemo(() => query.data?.pages.flatMap((page) => page.users) ?? [], [query.data]);
  const change = useCallback(
    (next: Partial<UsersSearch>) =>
      void navigate({
        to: '.',
        search: (before: object) => ({ ...before, ...next }),
        // A typed letter is not a history entry.
        replace: Object.keys(next).every((name) => name === 'q' || name === 'order'),
      }),
    [navigate],
  );
  const more = useMore(query);
  const filtered = search.q !== undefined || search.filter !== undefined;
  return (
    <Page title="Users" fill badges={<ExploreSwitch current="users" />} actions={<RangePicker />}>
      <div className="flex flex-wrap items-center gap-2 border-b border-line px-4 py-2">
        <SearchBox label="Search user IDs" value={search.q ?? ''} onSearch={(q) => change({ q: q === '' ? undefined : q })} />
        <QueryBar
          on="traces"
          value={search.filter ?? ''}
          onFilter={(text) => change({ filter: text === '' ? undefined : text })}
        />
      </div>
      {failureOf(query) ? (
        <Failure error={query.error} onRetry={() => void query.refetch()} />
      ) : query.isPending ? (
        <div className="p-4">
          <PageSkeleton />
        </div>
      ) : users.length === 0 ? (
        <Empty
          title={filtered ? 'No matching users' : 'No users in this time range'}
          action={
            filtered ? (
              <Button onClick={() => change({ q: undefined, filter: undefined })}>Clear search and filter</Button>
            ) : (
              <SendDataLink />
            )
          }
        >
          A user is the person of your application whom a trace belongs to (<code>userId</code> or <code>user.id</code>).
        </Empty>
      ) : (
        <DataTable<ApplicationUser>
          label="Users"
          columns={columns}
          rows={users}
          rowKey={({ userId }) => userId}
          sort={readSort(search.order ?? '-cost')}
          sortedByService
          // The service sorts in descending order alone.
          onSort={({ id }) => change({ order: `-${id}` as UserSort })}
          onOpen={({ userId }) => void navigate({ ...pages.user(at, userId), search: range })}
          onEnd={more}
          className={classNames('min-h-0 flex-1 bg-surface', query.isPlaceholderData && 'opacity-60')}
          footer={<ListEnd pages={query}>{countedExactly(users.length, 'user')}</ListEnd>}
        />
      )}
    </Page>
  );
}
