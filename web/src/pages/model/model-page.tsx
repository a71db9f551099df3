import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { ReactNode } from 'react';
import { failureOf } from '../../api/failure-of.ts';
import { findingsQuery } from '../../api/model-lifecycle.ts';
import { modelQuery, modelsQuery } from '../../api/models.ts';
import type { ListedModel } from '../../api/parts.ts';
import type { ModelDetail } from '../../api/service.ts';
import { nearestFinding } from '../../content/lifecycle-words.ts';
import { RetirementBadge } from '../../content/retirement-badge.tsx';
import { Badge } from '../../design/badge.tsx';
import { buttonClass } from '../../design/button.tsx';
import { Chart } from '../../design/chart.tsx';
import { classNames } from '../../design/class-names.ts';
import { Empty, Failure, PageSkeleton, Skeleton } from '../../design/states.tsx';
import { Visible } from '../../design/visible.tsx';
import { ChangesNote } from '../../frame/changes-note.tsx';
import { Page } from '../../frame/page.tsx';
import { useProject } from '../../frame/project-context.ts';
import { EnvironmentPicker } from '../../frame/environment-picker.tsx';
import { RangePicker } from '../../frame/range-picker.tsx';
import { useNow } from '../../frame/use-now.ts';
import { useRangeChanges, useTimelineMarks } from '../../frame/use-range-changes.ts';
import { pages } from '../../paths.ts';
import { linkFigures, figuresRequest, rowRange, timelineOf, timelineRequest } from '../../range.ts';
import type { FiguresSearch } from '../../range.ts';
import { AlsoRecordedCard } from './also-recorded-card.tsx';
import { FrontierCard } from './frontier-card.tsx';
import { timelineCharts } from './model-charts.ts';
import { ModelStats } from './model-stats.tsx';
import { RetirementNotice } from './retirement-notice.tsx';
import { ComparisonTable, ErrorTable, EvaluatorTable, UsageTable } from './model-tables.tsx';

/** The details of one model. */
export default function ModelPage(): ReactNode {
  const { at, projectId } = useProject();
  const { model } = useParams({ from: '/o/$org/p/$project/models/$model' });
  const search = useSearch({ from: '/o/$org/p/$project/models/$model' });
  const nowMs = useNow(search);
  const range = useMemo(() => linkFigures(search), [search]);
  const query = useQuery({
    ...modelQuery(projectId, model, timelineRequest(search, nowMs)),
    // Keep the previous range of the same model while loading, never another model.
    placeholderData: (before: ModelDetail | undefined) => (before?.model === model ? before : undefined),
  });
  const { data: lifecycle } = useQuery(findingsQuery(projectId));
  const finding = nearestFinding(lifecycle?.findings ?? [], model);
  return (
    <Page
      title={model}
      trail={
        <Link {...pages.models(at)} search={range} className="shrink-0 text-ink-faint hover:text-ink hover:underline">
          Models /
        </Link>
      }
      badges={
        <>
          {query.data?.summary?.provider && (
            <Badge>
              <Visible text={query.data.summary.provider} />
            </Badge>
          )}
          {finding && <RetirementBadge finding={finding} />}
        </>
      }
      actions={
        <>
          <Link {...pages.traces(at)} search={{ ...range, model }} className={buttonClass()}>
            View traces
          </Link>
          <EnvironmentPicker />
          <RangePicker />
        </>
      }
    >
      {finding?.state === 'open' && <RetirementNotice finding={finding} />}
      {failureOf(query) ? (
        <Failure error={query.error} onRetry={() => void query.refetch()} />
      ) : query.data ? (
        <div
          className={classNames('flex flex-col gap-3', query.isPlaceholderData && 'opacity-60')}
          aria-busy={query.isPlaceholderData}
        >
          <ModelBody detail={query.data} range={range} nowMs={nowMs} />
        </div>
      ) : (
        <PageSkeleton />
      )}
    </Page>
  );
}

interface ModelBodyProps {
  detail: ModelDetail;
  range: FiguresSearch;
  nowMs: number;
}

function ModelBody({ detail, range, nowMs }: ModelBodyProps): ReactNode {
  const { at } = useProject();
  const navigate = useNavigate();
  const firstRow = detail.timeline[0]?.day;
  const timeline = useMemo(() => timelineOf(range, nowMs, firstRow), [range, nowMs, firstRow]);
  const changes = useRangeChanges(range, nowMs);
  const marks = useTimelineMarks(changes, timeline);
  const charts = useMemo(
    () =>
      timelineCharts(detail, timeline, (start, failed) => {
        const search = {
          ...rowRange(range, timeline, start),
          model: detail.model,
          ...(failed ? { status: 'error' as const } : {}),
        };
        void navigate({ ...pages.traces(at), search });
      }),
    [detail, range, timeline, at, navigate],
  );
  const models = useListedModels(range, nowMs);
  const unpriced = useMemo(() => models && unpricedNames(models), [models]);
  if (!detail.found || detail.summary === null) {
    return <Empty title="No calls in this time range">Choose a longer time range, or check the model name.</Empty>;
  }
  const isUnpriced = detail.summary.unpriced_calls === detail.summary.total_calls;
  return (
    <>
      <ModelStats summary={detail.summary} quality={detail.quality} />
      <AlsoRecordedCard model={detail.model} models={models ?? []} range={range} />
      <div className="grid gap-3 lg:grid-cols-2 2xl:grid-cols-3">
        {charts.map((chart) => (
          <Chart key={chart.title} model={chart} marks={marks} />
        ))}
      </div>
      <ChangesNote range={range} loaded={changes} />
      <div className="grid gap-3 lg:grid-cols-2">
        {unpriced === null ? (
          <Skeleton className="h-80" />
        ) : (
          <>
            <FrontierCard detail={detail} unpriced={unpriced} range={range} nowMs={nowMs} />
            <ComparisonTable frontier={detail.frontier} range={range} unpriced={unpriced} />
          </>
        )}
        <ErrorTable detail={detail} range={range} />
        <EvaluatorTable detail={detail} range={range} />
        <UsageTable
          unpriced={isUnpriced}
          title="Agents"
          rows={detail.usage.agents}
          nameOf={(row) => ('agent_name' in row ? row.agent_name : '')}
          filterOf={(agent) => ({ ...range, model: detail.model, agent })}
        />
        <UsageTable
          unpriced={isUnpriced}
          title="Operations"
          rows={detail.usage.operations}
          nameOf={(row) => ('operation' in row ? row.operation : '')}
        />
      </div>
    </>
  );
}

/** All models of the range, for what the details of one do not contain; null while they load, none where they cannot be loaded. */
function useListedModels(range: FiguresSearch, nowMs: number): readonly ListedModel[] | null {
  const { projectId } = useProject();
  const query = modelsQuery(projectId, figuresRequest(range, nowMs));
  const { data, isPending } = useQuery({ ...query, placeholderData: keepPreviousData });
  return isPending ? null : (data?.models ?? noModels);
}

const noModels: readonly ListedModel[] = [];

/** Models without a price. */
function unpricedNames(models: readonly ListedModel[]): ReadonlySet<string> {
  return new Set(models.filter((one) => one.unpriced_calls === one.total_calls).map(({ model }) => model));
}
