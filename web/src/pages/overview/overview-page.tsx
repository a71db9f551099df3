import { useQueries, useQuery } from '@tanstack/react-query';
import { Link, Navigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { ReactNode } from 'react';
import { ingestHealthQuery } from '../../api/ingest-health.ts';
import { modelQuery, modelsQuery } from '../../api/models.ts';
import type { ListedModel, ModelDetail } from '../../api/wire.ts';
import { buttonClass } from '../../design/button.tsx';
import { Chart } from '../../design/chart.tsx';
import { Empty, Failure, PageSkeleton, Skeleton } from '../../design/states.tsx';
import { utcDays } from '../../format/utc-days.ts';
import { Page } from '../../frame/page.tsx';
import { useProject } from '../../frame/project-context.ts';
import { RangePicker } from '../../frame/range-picker.tsx';
import { useNow } from '../../frame/use-now.ts';
import { pages } from '../../paths.ts';
import { modelRange, rangeDayCount } from '../../range.ts';
import type { RangeSearch } from '../../range.ts';
import { OverviewStats, UnpricedNotice } from './overview-stats.tsx';
import { agentsOf, overviewCharts } from './overview-figures.ts';
import { AgentsCard, ModelsCard } from './overview-tables.tsx';

/** Models whose days are read one by one; there are hardly ever more. */
const mostDetails = 12;

/** The project at a glance. */
export default function OverviewPage(): ReactNode {
  const { projectId } = useProject();
  const search = useSearch({ from: '/o/$org/p/$project/' });
  const query = useQuery(modelsQuery(projectId, modelRange(search)));
  return (
    <Page title="Overview" actions={<RangePicker />}>
      {query.error ? (
        <Failure error={query.error} onRetry={() => void query.refetch()} />
      ) : !query.data ? (
        <PageSkeleton />
      ) : query.data.models.length === 0 ? (
        <NothingYet />
      ) : (
        <OverviewBody models={query.data.models} search={search} />
      )}
    </Page>
  );
}

function OverviewBody({ models, search }: { models: readonly ListedModel[]; search: RangeSearch }): ReactNode {
  const { projectId } = useProject();
  const range = modelRange(search);
  const busiest = useMemo(
    () => models.toSorted((left, right) => right.total_calls - left.total_calls).slice(0, mostDetails),
    [models],
  );
  const details = useQueries({
    queries: busiest.map(({ model }) => modelQuery(projectId, model, range)),
    combine: (results) => ({
      found: results.flatMap(({ data }): ModelDetail[] => (data?.found === true ? [data] : [])),
      pending: results.some(({ isPending }) => isPending),
      error: results.find(({ error }) => error !== null)?.error ?? null,
    }),
  });
  const nowMs = useNow(search);
  const days = useMemo(() => utcDays(rangeDayCount(search), nowMs), [search, nowMs]);
  const charts = useMemo(() => overviewCharts(details.found, days), [details.found, days]);
  const agents = useMemo(() => agentsOf(details.found), [details.found]);
  const left = models.length - busiest.length;
  return (
    <>
      <UnpricedNotice models={models} search={search} />
      <OverviewStats models={models} />
      {details.error && <Failure error={details.error} />}
      <div className="grid gap-3 lg:grid-cols-2">
        {details.pending
          ? [0, 1, 2, 3].map((index) => <Skeleton key={index} className="h-64" />)
          : charts.map((chart, index) => (
              <Chart key={chart.title} model={chart} className={charts.length % 2 === 1 && index === 0 ? 'lg:col-span-2' : ''} />
            ))}
      </div>
      {left > 0 && (
        <p className="text-xs text-ink-faint">
          Charts and agents are of the {mostDetails} busiest models; {left} others are in the figures above alone.
        </p>
      )}
      <div className="grid gap-3 xl:grid-cols-[1.4fr_1fr]">
        <ModelsCard models={models} search={search} />
        <AgentsCard agents={agents} search={search} />
      </div>
    </>
  );
}

/** A project that has never had a span begins with how to send one. */
function NothingYet(): ReactNode {
  const { at, projectId } = useProject();
  const { data } = useQuery(ingestHealthQuery(projectId));
  if (data?.status === 'never') return <Navigate {...pages.start(at)} replace />;
  return (
    <Empty
      title="No model was called in this time range"
      action={
        <Link {...pages.start(at)} className={buttonClass('primary')}>
          Send a first span
        </Link>
      }
    >
      Take a longer time range, or point an application here.
    </Empty>
  );
}
