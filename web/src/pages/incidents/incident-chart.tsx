import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { ReactNode } from 'react';
import { alertsQuery } from '../../api/alerts.ts';
import { failureOf } from '../../api/failure-of.ts';
import { guardrailActivityQuery } from '../../api/guardrails.ts';
import { modelQuery, overviewQuery } from '../../api/models.ts';
import type { Incident } from '../../api/service.ts';
import { Card } from '../../design/card.tsx';
import { Chart } from '../../design/chart.tsx';
import { Empty, Failure, Skeleton } from '../../design/states.tsx';
import { useProject } from '../../frame/project-context.ts';
import { useNow } from '../../frame/use-now.ts';
import { useRangeChanges, useTimelineMarks } from '../../frame/use-range-changes.ts';
import { rangeRequest, timelineRequest } from '../../range.ts';
import type { Timeline } from '../../range.ts';
import {
  chartRange,
  chartTimeline,
  guardrailFigure,
  incidentChart,
  modelFigure,
  notNarrowed,
  overviewFigure,
  shownTimeline,
  sourceOf,
} from './incident-figures.ts';
import type { ChartSource, CurrentRule, Figure } from './incident-figures.ts';
import { incidentMarks } from './incident-marks.ts';

const chartHeight = 240;
export const historyId = 'incident-history';

function showHistory(): void {
  document.getElementById(historyId)?.scrollIntoView({ block: 'center' });
}

/** The figure of an incident around its time, with the threshold, its opening and resolution, and changes. */
export function IncidentChartCard({ incident }: { incident: Incident }): ReactNode {
  const { projectId } = useProject();
  const { data, isPending } = useQuery(alertsQuery(projectId));
  const rule: CurrentRule = isPending ? undefined : (data?.alerts.find(({ id }) => id === incident.ruleId) ?? null);
  if (rule === undefined) return <Placeholder />;
  return <Loaded incident={incident} rule={rule} />;
}

function Placeholder(): ReactNode {
  return <Skeleton className="h-[19rem]" />;
}

function Loaded({ incident, rule }: { incident: Incident; rule: CurrentRule }): ReactNode {
  const { id, openedAt, resolvedAt, type, threshold } = incident;
  const window = rule?.window ?? null;
  const nowMs = useNow(useMemo(() => ({ id, resolvedAt }), [id, resolvedAt]));
  const range = useMemo(
    () => chartRange({ type, openedAt, resolvedAt }, window, nowMs),
    [type, openedAt, resolvedAt, window, nowMs],
  );
  const timeline = useMemo(() => chartTimeline(type, range, nowMs), [range, nowMs, type]);
  const shown = useMemo(() => shownTimeline(type, window, timeline), [type, window, timeline]);
  const source = useMemo(() => sourceOf(incident, rule), [incident, rule]);
  const query = useFigure(type, source, range, nowMs, timeline);
  const changes = useRangeChanges(range, nowMs);
  const changeMarks = useTimelineMarks(changes, shown);
  const marks = useMemo(
    () => incidentMarks({ openedAt, resolvedAt }, changeMarks, shown, showHistory),
    [openedAt, resolvedAt, changeMarks, shown],
  );
  const chart = useMemo(
    () => query.figure && incidentChart({ type, threshold }, window, query.figure, timeline),
    [query.figure, type, threshold, window, timeline],
  );
  if (query.failure) return <Failure error={query.failure} onRetry={query.retry} />;
  if (!chart) return <Placeholder />;
  if (chart.model.series[0]?.values.every((value) => value === null) === true) {
    return (
      <Card title={chart.model.title}>
        <Empty title="No data around this time">The traces may have expired or been deleted.</Empty>
      </Card>
    );
  }
  const wider = notNarrowed(incident, rule, source);
  const note = [chart.note, wider.length === 0 ? '' : `Not narrowed to the ${wider.join(' and ')} of the rule.`].join(' ');
  return <Chart model={chart.model} marks={marks} note={note} height={chartHeight} />;
}

interface LoadedFigure {
  figure: Figure | null;
  failure: unknown;
  retry(): void;
}

/** Loads the figure with one request. */
function useFigure(
  type: Incident['type'],
  source: ChartSource,
  range: { from: string; to: string },
  nowMs: number,
  timeline: Timeline,
): LoadedFigure {
  const { projectId } = useProject();
  const hourly = timelineRequest(range, nowMs);
  const overview = useQuery({ ...overviewQuery(projectId, hourly), enabled: source.from === 'overview' });
  const model = useQuery({
    ...modelQuery(projectId, source.from === 'model' ? source.model : '', hourly),
    enabled: source.from === 'model',
  });
  const guardrails = useQuery({
    ...guardrailActivityQuery(projectId, rangeRequest(range, nowMs), { by: 'day' }),
    enabled: source.from === 'guardrails',
  });
  const query = { overview, model, guardrails }[source.from];
  const figure = useMemo(() => {
    if (source.from === 'overview') return overview.data ? overviewFigure(type, overview.data, source.agent, timeline) : null;
    if (source.from === 'model') return model.data ? modelFigure(type, model.data, timeline) : null;
    return guardrails.data ? guardrailFigure(guardrails.data, source.guardrails, timeline) : null;
  }, [type, source, timeline, overview.data, model.data, guardrails.data]);
  return { figure, failure: failureOf(query), retry: () => void query.refetch() };
}
