import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, Navigate, useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { ReactNode } from 'react';
import { failureOf } from '../../api/failure-of.ts';
import { ingestHealthQuery } from '../../api/ingest-health.ts';
import { overviewQuery } from '../../api/models.ts';
import { scoreSummaryQuery } from '../../api/scores.ts';
import type { Overview } from '../../api/service.ts';
import { buttonClass } from '../../design/button.tsx';
import { Chart } from '../../design/chart.tsx';
import { classNames } from '../../design/class-names.ts';
import { Segments } from '../../design/segments.tsx';
import { Empty, Failure, PageSkeleton } from '../../design/states.tsx';
import { ChangesNote } from '../../frame/changes-note.tsx';
import { Page } from '../../frame/page.tsx';
import { useProject } from '../../frame/project-context.ts';
import { EnvironmentPicker } from '../../frame/environment-picker.tsx';
import { RangePicker } from '../../frame/range-picker.tsx';
import { useNow } from '../../frame/use-now.ts';
import { useRangeChanges, useTimelineMarks } from '../../frame/use-range-changes.ts';
import { pages } from '../../paths.ts';
import { linkFigures, rangeRequest, rowRange, timelineOf, timelineRequest } from '../../range.ts';
import type { Timeline } from '../../range.ts';
import { overviewCharts } from './overview-figures.ts';
import type { Picked } from './overview-figures.ts';
import { qualityChart } from './quality-chart.ts';
import { UnnamedNote } from '../../content/unnamed-note.tsx';
import { OverviewStats, UnpricedNotice } from './overview-stats.tsx';
import { AgentsCard, ModelsCard } from './overview-tables.tsx';
import type { Grouping, OverviewSearch } from './search.ts';

/** The overview of a project. */
export default function OverviewPage(): ReactNode {
  const { projectId } = useProject();
  const search = useSearch({ from: '/o/$org/p/$project/' });
  const navigate = useNavigate();
  const nowMs = useNow(search);
  const query = useQuery({ ...overviewQuery(projectId, timelineRequest(search, nowMs)), placeholderData: keepPreviousData });
  const by = search.by ?? 'model';
  return (
    <Page
      title="Overview"
      actions={
        <>
          <Segments<Grouping>
            label="Group by"
            value={by}
            options={[
              { value: 'model', label: 'By model' },
              { value: 'agent', label: 'By agent' },
            ]}
            onValue={(next) =>
              void navigate({
                to: '.',
                search: (before: OverviewSearch) => ({ ...before, by: next === 'agent' ? next : undefined }),
                replace: true,
              })
            }
          />
          <EnvironmentPicker />
          <RangePicker />
        </>
      }
    >
      {failureOf(query) ? (
        <Failure error={query.error} onRetry={() => void query.refetch()} />
      ) : !query.data ? (
        <PageSkeleton />
      ) : query.data.totals.calls === 0 ? (
        <NothingYet />
      ) : (
        <OverviewBody overview={query.data} by={by} search={search} nowMs={nowMs} outdated={query.isPlaceholderData} />
      )}
    </Page>
  );
}

interface OverviewBodyProps {
  overview: Overview;
  by: Grouping;
  search: OverviewSearch;
  nowMs: number;
  /** Shows the previous range while the new one loads. */
  outdated: boolean;
}

function OverviewBody({ overview, by, search, nowMs, outdated }: OverviewBodyProps): ReactNode {
  const { at, projectId } = useProject();
  const navigate = useNavigate();
  const range = useMemo(() => linkFigures(search), [search]);
  const firstRow = overview.totals.timeline[0]?.day;
  const timeline = useMemo(() => timelineOf(range, nowMs, firstRow), [range, nowMs, firstRow]);
  const changes = useRangeChanges(range, nowMs);
  const marks = useTimelineMarks(changes, timeline);
  const summary = useQuery({
    ...scoreSummaryQuery(projectId, undefined, rangeRequest(range, nowMs)),
    placeholderData: keepPreviousData,
  });
  const evaluators = summary.data?.evaluators;
  const charts = useMemo(() => {
    const opening = (rows: Timeline) => (start: string, picked: Picked) =>
      void navigate({ ...pages.traces(at), search: { ...rowRange(range, rows, start), ...picked } });
    const days = timelineOf(range, nowMs, firstRow?.slice(0, 10), 'day');
    const open = opening(days);
    const quality = qualityChart(evaluators ?? [], days, (start, evaluator) =>
      open(start, evaluator === null ? {} : { evaluator }),
    );
    return [...overviewCharts(overview, by, timeline, opening(timeline)), ...(quality === null ? [] : [quality])];
  }, [overview, evaluators, by, range, timeline, nowMs, firstRow, at, navigate]);
  return (
    <div className={classNames('flex flex-col gap-3', outdated && 'opacity-60')} aria-busy={outdated}>
      <UnpricedNotice overview={overview} range={range} />
      <UnnamedNote unnamed={overview.unnamed} />
      <OverviewStats overview={overview} />
      <div className="grid gap-3 lg:grid-cols-2">
        {charts.map((chart, index) => (
          <Chart
            key={chart.title}
            model={chart}
            marks={marks}
            className={charts.length % 2 === 1 && index === 0 ? 'lg:col-span-2' : ''}
          />
        ))}
      </div>
      <ChangesNote range={range} loaded={changes} />
      {by === 'model' ? <ModelsCard overview={overview} range={range} /> : <AgentsCard overview={overview} range={range} />}
    </div>
  );
}

/** The empty state. A project that never received a span redirects to the set-up page. */
function NothingYet(): ReactNode {
  const { at, projectId } = useProject();
  const { data } = useQuery(ingestHealthQuery(projectId));
  if (data?.status === 'never') return <Navigate {...pages.start(at)} replace />;
  return (
    <Empty
      title="No calls in this time range"
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
