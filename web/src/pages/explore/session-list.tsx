import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { ReactNode } from 'react';
import { failureOf } from '../../api/failure-of.ts';
import { sessionsQuery } from '../../api/traces.ts';
import type { Session } from '../../api/parts.ts';
import { useMore } from '../../api/use-pages.ts';
import { Button } from '../../design/button.tsx';
import { classNames } from '../../design/class-names.ts';
import { DataTable } from '../../design/data-table.tsx';
import { ListEnd } from '../../design/list-end.tsx';
import { SearchBox } from '../../design/search-box.tsx';
import { Empty, Failure, ListSkeleton } from '../../design/states.tsx';
import { countedExactly } from '../../format/number-format.ts';
import { useProject } from '../../frame/project-context.ts';
import { QueryBar } from '../../frame/query-bar.tsx';
import { SendDataLink } from '../../frame/send-data-link.tsx';
import { pages } from '../../paths.ts';
import { isFiltered, sessionsRequest, withoutFilters } from './search.ts';
import { sessionColumns } from './session-columns.tsx';
import type { Explore } from './use-explore.ts';

/** The list of sessions: those with a trace that matches. */
export function SessionList({ explore }: { explore: Explore }): ReactNode {
  const { at, projectId } = useProject();
  const { search, listed, nowMs, isUnreadable, change } = explore;
  const navigate = useNavigate();
  const request = useMemo(() => sessionsRequest(listed, nowMs), [listed, nowMs]);
  const query = useInfiniteQuery({
    ...sessionsQuery(projectId, request),
    placeholderData: keepPreviousData,
    enabled: !isUnreadable,
  });
  const columns = useMemo(() => sessionColumns(at), [at]);
  const sessions = useMemo(() => query.data?.pages.flatMap((page) => page.sessions) ?? [], [query.data]);
  const more = useMore(query);
  const filtered = isFiltered(search);
  return (
    <>
      <div className="flex flex-wrap items-start gap-2 border-b border-line px-4 py-2">
        <QueryBar
          on="traces"
          value={search.filter ?? ''}
          onFilter={(text) => change({ filter: text === '' ? undefined : text })}
          className="lg:min-w-96"
        />
        <SearchBox
          label="Search session and user IDs"
          value={search.q ?? ''}
          onSearch={(q) => change({ q: q === '' ? undefined : q })}
        />
      </div>
      {isUnreadable ? (
        <Empty title="The filter can’t be read">Correct it above: the list shows what matches once it can.</Empty>
      ) : failureOf(query) ? (
        <Failure error={query.error} onRetry={() => void query.refetch()} />
      ) : query.isPending ? (
        <ListSkeleton />
      ) : sessions.length === 0 ? (
        <Empty
          title={filtered ? 'No matching sessions' : 'No sessions in this time range'}
          action={filtered ? <Button onClick={() => change(withoutFilters)}>Clear search and filters</Button> : <SendDataLink />}
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
    </>
  );
}
