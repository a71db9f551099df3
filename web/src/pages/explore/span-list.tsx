import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { ReactNode } from 'react';
import { listedSpansQuery, spanCountsQuery } from '../../api/spans.ts';
import type { ListedSpan } from '../../api/parts.ts';
import { useProject } from '../../frame/project-context.ts';
import { chosenColumns, spanColumnIds } from './column-choice.ts';
import { ExploreBody } from './explore-body.tsx';
import { useOpenRow } from './record-list.tsx';
import { spanCountsRequest, spansRequest } from './search.ts';
import { keyColumn } from './key-column.tsx';
import { askedKeys, isKeyColumn, keysRequest } from './key-columns.ts';
import { shownColumns } from './shown-columns.ts';
import { scoreColumn, spanColumns } from './span-columns.tsx';
import { spanKey } from './span-key.ts';
import type { Explore } from './use-explore.ts';

const nameOf = ({ name }: ListedSpan) => name;
/** The columns that are made of their id. */
const madeColumn = (id: string) => {
  if (id.startsWith('score.')) return scoreColumn(id.slice('score.'.length));
  return isKeyColumn(id) ? keyColumn<ListedSpan>(id) : undefined;
};
const peekOf = ({ traceId, spanId }: ListedSpan) => ({ peek: traceId, span: spanId });

/** The list of calls: every span. */
export function SpanList({ explore }: { explore: Explore }): ReactNode {
  const { at, projectId } = useProject();
  const { search, listed, nowMs, isUnreadable } = explore;
  const live = search.live === '1';
  const request = useMemo(() => spansRequest(listed, nowMs), [listed, nowMs]);
  const query = useInfiniteQuery({
    ...listedSpansQuery(projectId, { ...request, ...keysRequest(askedKeys(search.columns, 'spans')) }, live),
    placeholderData: keepPreviousData,
    enabled: !isUnreadable && search.chart !== '1',
  });
  const counts = useQuery({
    ...spanCountsQuery(
      projectId,
      useMemo(() => spanCountsRequest(listed, nowMs), [listed, nowMs]),
      live,
    ),
    placeholderData: keepPreviousData,
    enabled: !isUnreadable,
  });
  const open = useOpenRow<ListedSpan>(explore, peekOf);
  const available = useMemo(() => spanColumns(at, open), [at, open]);
  const chosen = useMemo(() => chosenColumns(search.columns, spanColumnIds), [search.columns]);
  const columns = useMemo(() => shownColumns(available, chosen, madeColumn), [available, chosen]);
  const rows = useMemo(() => query.data?.pages.flatMap((page) => page.spans) ?? [], [query.data]);
  const counted = useMemo(() => {
    if (counts.data === undefined) return undefined;
    const { calls, costUsd, ...over } = counts.data;
    return { ...over, noun: 'span', calls: { count: calls, costUsd } };
  }, [counts.data]);
  return (
    <ExploreBody<ListedSpan>
      {...{ explore, request, rows, columns, available, chosen, nameOf, peekOf, counted }}
      keyOf={spanKey}
      label="Calls"
      noun="span"
      usual={spanColumnIds}
      pages={query}
      areCountsFailed={counts.isError}
    />
  );
}
