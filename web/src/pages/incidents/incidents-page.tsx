import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { ReactNode } from 'react';
import { failureOf } from '../../api/failure-of.ts';
import { incidentsQuery } from '../../api/incidents.ts';
import type { Incident } from '../../api/service.ts';
import { useMore } from '../../api/use-pages.ts';
import { Button, buttonClass } from '../../design/button.tsx';
import { DataTable } from '../../design/data-table.tsx';
import { ListEnd } from '../../design/list-end.tsx';
import { Empty, Failure, ListSkeleton } from '../../design/states.tsx';
import { countedExactly } from '../../format/number-format.ts';
import { Page } from '../../frame/page.tsx';
import { useProject } from '../../frame/project-context.ts';
import { RangePicker } from '../../frame/range-picker.tsx';
import { useNow } from '../../frame/use-now.ts';
import { pages } from '../../paths.ts';
import { incidentColumns } from './incident-columns.tsx';
import { IncidentsFilters } from './incidents-filters.tsx';
import { incidentsRequest } from './search.ts';
import type { IncidentsSearch } from './search.ts';

/** The incidents opened in a time range, newest first. */
export default function IncidentsPage(): ReactNode {
  const { at, projectId } = useProject();
  const search = useSearch({ from: '/o/$org/p/$project/incidents' });
  const navigate = useNavigate();
  const nowMs = useNow(search);
  const query = useInfiniteQuery({
    ...incidentsQuery(projectId, incidentsRequest(search, nowMs)),
    placeholderData: keepPreviousData,
  });
  const columns = useMemo(() => incidentColumns(at, nowMs), [at, nowMs]);
  const incidents = useMemo(() => query.data?.pages.flatMap((page) => page.incidents) ?? [], [query.data]);
  const more = useMore(query);
  return (
    <Page title="Incidents" fill actions={<RangePicker />}>
      <IncidentsFilters search={search} />
      {failureOf(query) ? (
        <Failure error={query.error} onRetry={() => void query.refetch()} />
      ) : !query.data ? (
        <ListSkeleton />
      ) : incidents.length === 0 ? (
        <NoIncidents search={search} />
      ) : (
        <DataTable<Incident>
          label="Incidents"
          columns={columns}
          rows={incidents}
          rowKey={({ id }) => id}
          onOpen={({ id }) => void navigate(pages.incident(at, id))}
          onEnd={more}
          className="min-h-0 flex-1 border-t border-line bg-surface"
          footer={<ListEnd pages={query}>{countedExactly(incidents.length, 'incident')}</ListEnd>}
        />
      )}
    </Page>
  );
}

function NoIncidents({ search }: { search: IncidentsSearch }): ReactNode {
  const { at } = useProject();
  const navigate = useNavigate();
  const { status, rule, environment, ...range } = search;
  const isFiltered = [status, rule, environment].some((filter) => filter !== undefined);
  if (isFiltered) {
    const clear = () => void navigate({ ...pages.incidents(at), search: range });
    return (
      <Empty title="No incidents match the filters" action={<Button onClick={clear}>Clear filters</Button>}>
        Choose a longer time range, or remove a filter.
      </Empty>
    );
  }
  return (
    <Empty
      title="No incidents in this time range"
      action={
        <Link {...pages.alerts(at)} className={buttonClass()}>
          Alert rules
        </Link>
      }
    >
      An alert rule opens an incident when it fires.
    </Empty>
  );
}
