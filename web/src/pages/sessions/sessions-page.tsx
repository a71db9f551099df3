import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import type { ReactNode } from 'react';
import { failureOf } from '../../api/failure-of.ts';
import { sessionsQuery } from '../../api/traces.ts';
import type { Session } from '../../api/parts.ts';
import { useMore } from '../../api/use-pages.ts';
import { Chip } from '../../design/badge.tsx';
import { Button } from '../../design/button.tsx';
import { classNames } from '../../design/class-names.ts';
import { DataTable } from '../../design/data-table.tsx';
import { ListEnd } from '../../design/list-end.tsx';
import { SearchBox } from '../../design/search-box.tsx';
import { Empty, Failure, PageSkeleton } from '../../design/states.tsx';
import { Visible } from '../../design/visible.tsx';
import { countedExactly } from '../../format/number-format.ts';
import { Page } from '../../frame/page.tsx';
import { useProject } from '../../frame/project-context.ts';
import { QueryBar } from '../../frame/query-bar.tsx';
import { RangePicker } from '../../frame/range-picker.tsx';
import { SendDataLink } from '../../frame/send-data-link.tsx';
import { useNow } from '../../frame/use-now.ts';
import { pages } from '../../paths.ts';
import { filterLabels } from '../../trace-filters.ts';
import { sessionsRequest } from './search.ts';
import type { SessionsSearch } from './search.ts';
import { sessionColumns } from './session-columns.tsx';

/** The list of sessions. */
export default function SessionsPage(): ReactNode {
  const { at, projectId } = useProject();
  const search = useSearch({ from: '/o/$org/p/$project/sessions' });
  const navigate = useNavigate();
  const nowMs = useNow(search);
  const request = useMemo(() => sessionsRequest(search, nowMs), [search, nowMs]);
  const query = useInfiniteQuery({ ...sessionsQuery(projectId, request), placeholderData: keepPreviousData });
  const columns = useMemo(() => sessionColumns(at), [at]);
  const sessions = useMemo(() => query.data?.pages.flatMap((page) => page.sessions) ?? [], [query.data]);
  const change = useCallback(
    (next: Partial<SessionsSearch>) =>
      void navigate({
        to: '.',
        search: (before: object) => ({ ...before, ...next }),
        // A typed letter is not a history entry.
        replace: Object.keys(next).every((name) => name === 'q'),
      }),
    [navigate],
  );
  const more = useMore(query);
  const filtered =
    search.q !== undefined || search.filter !== undefined || search.user !== undefined || search.environment !== undefined;
  return (
    <Page title="Sessions" fill actions={<RangePicker />}>
      <div className="flex flex-wrap items-center gap-2 border-b border-line px-4 py-2">
        <SearchBox
          label="Search session and user IDs"
          value={search.q ?? ''}
          onSearch={(q) => change({ q: q === '' ? undefined : q })}
        />
        <QueryBar
          on="traces"
          value={search.filter ?? ''}
          onFilter={(text) => change({ filter: text === '' ? undefined : text })}
        />
        {(['user', 'environment'] as const).map(
          (name) =>
            search[name] !== undefined && (
              <Chip
                key={name}
                label={filterLabels[name]}
                value={<Visible text={search[name]} />}
                onRemove={() => change({ [name]: undefined })}
              />
            ),
        )}
      </div>
      {failureOf(query) ? (
        <Failure error={query.error} onRetry={() => void query.refetch()} />
      ) : query.isPending ? (
        <div className="p-4">
          <PageSkeleton />
        </div>
      ) : sessions.length === 0 ? (
        <Empty
          title={filtered ? 'No matching sessions' : 'No sessions in this time range'}
          action={
            filtered ? (
              <Button onClick={() => change({ q: undefined, user: undefined, environment: undefined })}>
                Clear search and filters
              </Button>
            ) : (
              <SendDataLink />
            )
          }
        >
          A session is a group of traces with the same session ID (<code>sessionId</code>, <code>session.id</code> or{' '}
          <code>gen_ai.conversation.id</code>).
        </Empty>
      ) : (
        <DataTable<Session>
          label="Sessions"
          columns={columns}
          rows={sessions}
          rowKey={({ sessionId }) => sessionId}
          sortedByService
          onOpen={({ sessionId }) => void navigate(pages.session(at, sessionId))}
          onEnd={more}
          className={classNames('min-h-0 flex-1 bg-surface', query.isPlaceholderData && 'opacity-60')}
          footer={<ListEnd pages={query}>{countedExactly(sessions.length, 'session')}</ListEnd>}
        />
      )}
    </Page>
  );
}
