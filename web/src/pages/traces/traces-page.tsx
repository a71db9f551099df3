import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useEffect, useMemo, useState } from 'react';
import type { ReactNode } from 'react';
import { failureOf } from '../../api/failure-of.ts';
import { tracesQuery } from '../../api/traces.ts';
import { useMore } from '../../api/use-pages.ts';
import type { ListedTrace, TraceSort } from '../../api/parts.ts';
import { Button, buttonClass } from '../../design/button.tsx';
import { classNames } from '../../design/class-names.ts';
import { readSort, sortText } from '../../design/column.ts';
import { DataTable } from '../../design/data-table.tsx';
import { ListEnd } from '../../design/list-end.tsx';
import { Empty, Failure, ListSkeleton } from '../../design/states.tsx';
import { countedExactly } from '../../format/number-format.ts';
import { Page } from '../../frame/page.tsx';
import { useProject } from '../../frame/project-context.ts';
import { RangePicker } from '../../frame/range-picker.tsx';
import { useNow } from '../../frame/use-now.ts';
import { pages } from '../../paths.ts';
import { filterNames } from '../../trace-filters.ts';
import { useHeldTraces } from './held-traces.ts';
import { Histogram } from './histogram.tsx';
import { tracesRequest } from './search.ts';
import type { TracesSearch } from './search.ts';
import { hiddenByDefault, traceColumns } from './trace-columns.tsx';
import { TracesToolbar } from './traces-toolbar.tsx';

/** The list of traces. */
export default function TracesPage(): ReactNode {
  const { at, projectId } = useProject();
  const search = useSearch({ from: '/o/$org/p/$project/traces' });
  const navigate = useNavigate();
  const live = search.live === '1';
  const nowMs = useNow(search);
  const request = useMemo(() => tracesRequest(search, nowMs), [search, nowMs]);
  const query = useInfiniteQuery({ ...tracesQuery(projectId, request, live), placeholderData: keepPreviousData });
  const columns = useMemo(() => traceColumns(at, search.q), [at, search.q]);
  const traces = useMemo(() => query.data?.pages.flatMap((page) => page.traces) ?? [], [query.data]);
  const [reading, setReading] = useState(false);
  const { shown, waiting } = useHeldTraces(traces, live && reading, request);
  const hidden = useMemo(() => (search.hide === undefined ? hiddenByDefault : search.hide.split('.')), [search.hide]);
  const change = useCallback(
    (next: Partial<TracesSearch>) =>
      void navigate({
        to: '.',
        search: (before: TracesSearch) => ({ ...before, ...next }),
        // A filter is a history entry; a typed letter is not.
        replace: !('filter' in next) && !filterNames.some((name) => name in next),
      }),
    [navigate],
  );
  const { fetchNextPage, hasNextPage, isFetchNextPageError, isFetching } = query;
  const more = useMore({ ...query, hasNextPage: hasNextPage && !live });
  // An empty page may have a cursor to continue from.
  useEffect(() => {
    if (traces.length === 0 && !isFetching) more();
  }, [traces.length, isFetching, more]);
  return (
    <Page title="Traces" fill actions={<RangePicker />}>
      <TracesToolbar {...{ search, columns, hidden, traces }} onChange={change} />
      {search.q === undefined && <Histogram {...{ request, live }} onRange={(range) => change({ range: undefined, ...range })} />}
      {failureOf(query) ? (
        <Failure error={query.error} onRetry={() => void query.refetch()} />
      ) : query.isPending ? (
        <ListSkeleton />
      ) : traces.length === 0 && isFetchNextPageError && !isFetching ? (
        <Failure error={query.error} onRetry={() => void fetchNextPage()} />
      ) : traces.length === 0 ? (
        <NoTraces search={search} searching={isFetching || hasNextPage} onClear={() => change(clearedOf(search))} />
      ) : (
        <>
          {waiting > 0 && <Waiting count={waiting} />}
          <DataTable<ListedTrace>
            label="Traces"
            columns={columns}
            hidden={hidden}
            rows={shown}
            rowKey={(trace) => trace.traceId}
            sort={readSort(search.sort ?? '-startTime')}
            sortedByService
            onSort={(sort) => change({ sort: sortText(sort) as TraceSort, live: undefined })}
            onOpen={({ traceId }) =>
              void navigate({ ...pages.trace(at, traceId), search: search.q === undefined ? {} : { q: search.q } })
            }
            onEnd={more}
            onReading={setReading}
            className={classNames('min-h-0 flex-1 bg-surface', query.isPlaceholderData && 'opacity-60')}
            footer={
              <ListEnd pages={{ ...query, hasNextPage: hasNextPage && !live }}>
                {live
                  ? `Latest ${countedExactly(shown.length, 'trace')}. New traces appear at the top.`
                  : countedExactly(shown.length, 'trace')}
              </ListEnd>
            }
          />
        </>
      )}
    </Page>
  );
}

/** New traces of the live list, held back while the viewer reads. */
function Waiting({ count }: { count: number }): ReactNode {
  return (
    <p role="status" className="border-b border-line bg-accent-soft px-4 py-1 text-xs text-accent">
      {countedExactly(count, 'new trace')}. Scroll to the top and move the pointer away to show them.
    </p>
  );
}

function clearedOf(search: TracesSearch): Partial<TracesSearch> {
  return {
    ...Object.fromEntries(filterNames.map((name) => [name, undefined])),
    q: undefined,
    filter: undefined,
    range: search.range,
  };
}

interface NoTracesProps {
  search: TracesSearch;
  /** The range has not been searched completely. */
  searching: boolean;
  onClear(): void;
}

function NoTraces({ search, searching, onClear }: NoTracesProps): ReactNode {
  const { at } = useProject();
  const filtered =
    search.q !== undefined || search.filter !== undefined || filterNames.some((name) => search[name] !== undefined);
  if (searching) {
    return <Empty title="Searching…">No match so far. A shorter time range is faster.</Empty>;
  }
  if (filtered) {
    return (
      <Empty title="No matching traces" action={<Button onClick={onClear}>Clear search and filters</Button>}>
        Change a filter or choose a longer time range.
      </Empty>
    );
  }
  return (
    <Empty
      title="No traces in this time range"
      action={
        <Link {...pages.start(at)} className={buttonClass('primary')}>
          Send a span
        </Link>
      }
    >
      Choose a longer time range, or send traces from an application.
    </Empty>
  );
}
