import { useQuery } from '@tanstack/react-query';
import { Link, useParams, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { ReactNode } from 'react';
import { failureOf } from '../../api/failure-of.ts';
import { modelQuery, modelsQuery } from '../../api/models.ts';
import type { ModelDetail } from '../../api/wire.ts';
import { Badge } from '../../design/badge.tsx';
import { buttonClass } from '../../design/button.tsx';
import { Card } from '../../design/card.tsx';
import { Chart } from '../../design/chart.tsx';
import { classNames } from '../../design/class-names.ts';
import { Empty, Failure, PageSkeleton } from '../../design/states.tsx';
import { Visible } from '../../design/visible.tsx';
import { countedExactly } from '../../format/number-format.ts';
import { utcDays } from '../../format/utc-days.ts';
import { Page } from '../../frame/page.tsx';
import { useProject } from '../../frame/project-context.ts';
import { RangePicker } from '../../frame/range-picker.tsx';
import { useNow } from '../../frame/use-now.ts';
import { pages } from '../../paths.ts';
import { modelRange, rangeDayCount } from '../../range.ts';
import type { RangeSearch } from '../../range.ts';
import { frontierChart } from './frontier.ts';
import { timelineCharts } from './model-charts.ts';
import { ModelStats } from './model-stats.tsx';
import { ComparisonTable, ErrorTable, EvaluatorTable, UsageTable } from './model-tables.tsx';

/** The details of one model. */
export default function ModelPage(): ReactNode {
  const { at, projectId } = useProject();
  const { model } = useParams({ from: '/o/$org/p/$project/models/$model' });
  const search = useSearch({ from: '/o/$org/p/$project/models/$model' });
  const query = useQuery({
    ...modelQuery(projectId, model, modelRange(search)),
    // Keep the previous range of the same model while loading, never another model.
    placeholderData: (before: ModelDetail | undefined) => (before?.model === model ? before : undefined),
  });
  return (
    <Page
      title={model}
      trail={
        <Link {...pages.models(at)} search={search} className="shrink-0 text-ink-faint hover:text-ink hover:underline">
          Models /
        </Link>
      }
      badges={
        query.data?.summary?.provider && (
          <Badge>
            <Visible text={query.data.summary.provider} />
          </Badge>
        )
      }
      actions={
        <>
          <Link {...pages.traces(at)} search={{ ...search, model }} className={buttonClass()}>
            View traces
          </Link>
          <RangePicker />
        </>
      }
    >
      {failureOf(query) ? (
        <Failure error={query.error} onRetry={() => void query.refetch()} />
      ) : query.data ? (
        <div
          className={classNames('flex flex-col gap-3', query.isPlaceholderData && 'opacity-60')}
          aria-busy={query.isPlaceholderData}
        >
          <ModelBody detail={query.data} range={search} />
        </div>
      ) : (
        <PageSkeleton />
      )}
    </Page>
  );
}

function ModelBody({ detail, range }: { detail: ModelDetail; range: RangeSearch }): ReactNode {
  const nowMs = useNow(range);
  const charts = useMemo(() => timelineCharts(detail, utcDays(rangeDayCount(range), nowMs)), [detail, range, nowMs]);
  const unpriced = useUnpricedModels(range);
  const frontier = useMemo(() => frontierChart(detail.frontier.thisModel, detail.frontier.points, unpriced), [detail, unpriced]);
  if (!detail.found || detail.summary === null) {
    return <Empty title="No calls in this time range">Choose a longer time range, or check the model name.</Empty>;
  }
  const isUnpriced = detail.summary.unpriced_calls === detail.summary.total_calls;
  return (
    <>
      <ModelStats summary={detail.summary} quality={detail.quality} />
      <div className="grid gap-3 lg:grid-cols-2 2xl:grid-cols-3">
        {charts.map((chart) => (
          <Chart key={chart.title} model={chart} />
        ))}
        <ErrorTable detail={detail} range={range} />
      </div>
      <div className="grid gap-3 lg:grid-cols-2">
        {frontier === null ? (
          <Card title="Cost and quality">
            <p className="px-3 py-4 text-ink-faint">No model with a price was evaluated in this time range.</p>
          </Card>
        ) : (
          <Chart model={frontier} height={300} note={frontierNote(detail, unpriced)} />
        )}
        <ComparisonTable frontier={detail.frontier} range={range} unpriced={unpriced} />
        <UsageTable
          unpriced={isUnpriced}
          title="Agents"
          rows={detail.usage.agents}
          nameOf={(row) => ('agent_name' in row ? row.agent_name : '')}
        />
        <UsageTable
          unpriced={isUnpriced}
          title="Operations"
          rows={detail.usage.operations}
          nameOf={(row) => ('operation' in row ? row.operation : '')}
        />
        <EvaluatorTable detail={detail} range={range} />
      </div>
    </>
  );
}

/** Models without a price. The model detail does not contain this; the list of models does. */
function useUnpricedModels(range: RangeSearch): ReadonlySet<string> {
  const { projectId } = useProject();
  const { data } = useQuery(modelsQuery(projectId, modelRange(range)));
  return useMemo(
    () => new Set(data?.models.filter((one) => one.unpriced_calls === one.total_calls).map(({ model }) => model)),
    [data],
  );
}

function frontierNote({ model, frontier }: ModelDetail, unpriced: ReadonlySet<string>): string {
  const omitted = frontier.points.filter((point) => unpriced.has(point.model)).length + Number(unpriced.has(model));
  const note = omitted === 0 ? '' : ` ${countedExactly(omitted, 'unpriced model')} not shown.`;
  return `Dashed line: best quality at each cost.${note}`;
}
