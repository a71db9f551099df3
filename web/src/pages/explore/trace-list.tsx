import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { ReactNode } from 'react';
import { traceCountsQuery, tracesQuery } from '../../api/traces.ts';
import type { ListedTrace } from '../../api/parts.ts';
import { useProject } from '../../frame/project-context.ts';
import { chosenColumns, traceColumnIds } from './column-choice.ts';
import { ExploreBody } from './explore-body.tsx';
import { useOpenRow } from './record-list.tsx';
import { traceCountsRequest, tracesRequest } from './search.ts';
import { keyColumn } from './key-column.tsx';
import { askedKeys, isKeyColumn, keysRequest } from './key-columns.ts';
import { shownColumns } from './shown-columns.ts';
import { traceColumns } from './trace-columns.tsx';
import type { Explore } from './use-explore.ts';

const keyOf = ({ traceId }: ListedTrace) => traceId;
const nameOf = ({ name, traceId }: ListedTrace) => name ?? traceId;
const madeColumn = (id: string) => (isKeyColumn(id) ? keyColumn<ListedTrace>(id) : undefined);
const peekOf = ({ traceId }: ListedTrace) => ({ peek: traceId, span: undefined });

/** The list of traces. */
export function TraceList({ explore }: { explore: Explore }): ReactNode {
  const { at, projectId } = useProject();
  const { search, listed, nowMs, isUnreadable } = explore;
  const live = search.live === '1';
  const request = useMemo(() => tracesRequest(listed, nowMs), [listed, nowMs]);
  const query = useInfiniteQuery({
    ...tracesQuery(projectId, { ...request, ...keysRequest(askedKeys(search.columns, 'traces')) }, live),
    placeholderData: keepPreviousData,
    enabled: !isUnreadable && search.chart !== '1',
  });
  const counts = useQuery({
    ...traceCountsQuery(
      projectId,
      useMemo(() => traceCountsRequest(listed, nowMs), [listed, nowMs]),
      live,
    ),
    placeholderData: keepPreviousData,
    // A search is not counted.
    enabled: !isUnreadable && search.q === undefined,
  });
  const open = useOpenRow<ListedTrace>(explore, peekOf);
  const available = useMemo(() => traceColumns(at, search.q, open), [at, search.q, open]);
  const chosen = useMemo(() => chosenColumns(search.columns, traceColumnIds), [search.columns]);
  const columns = useMemo(() => shownColumns(available, chosen, madeColumn), [available, chosen]);
  const rows = useMemo(() => query.data?.pages.flatMap((page) => page.traces) ?? [], [query.data]);
  const counted = useMemo(() => {
    if (counts.data === undefined || search.q !== undefined) return undefined;
    const buckets = counts.data.buckets.map(({ traces, ...bucket }) => ({ ...bucket, count: traces }));
    return {
      noun: 'trace',
      bucketMs: counts.data.bucketMs,
      buckets,
      count: buckets.reduce((sum, { count }) => sum + count, 0),
      errors: buckets.reduce((sum, { errors }) => sum + errors, 0),
    };
  }, [counts.data, search.q]);
  return (
    <ExploreBody<ListedTrace>
      {...{ explore, request, rows, columns, available, chosen, keyOf, nameOf, peekOf, counted }}
      label="Traces"
      noun="trace"
      usual={traceColumnIds}
      pages={query}
      areCountsFailed={counts.isError}
    />
  );
}
