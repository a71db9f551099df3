import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { ReactNode } from 'react';
import { failureOf } from '../../api/failure-of.ts';
import { guardrailActivityQuery } from '../../api/guardrails.ts';
import type { Guardrail, GuardrailActivity } from '../../api/service.ts';
import { Card, Stat, Stats } from '../../design/card.tsx';
import { Chart } from '../../design/chart.tsx';
import { classNames } from '../../design/class-names.ts';
import { Absent, Count, Duration, Share } from '../../design/figures.tsx';
import { PlainTable } from '../../design/plain-table.tsx';
import { Empty, Failure, PageSkeleton, Skeleton } from '../../design/states.tsx';
import { VisibleLine } from '../../design/visible.tsx';
import { formatCount } from '../../format/number-format.ts';
import { ChangesNote } from '../../frame/changes-note.tsx';
import { useProject } from '../../frame/project-context.ts';
import { useRangeChanges, useTimelineMarks } from '../../frame/use-range-changes.ts';
import { pages } from '../../paths.ts';
import { rangeRequest, rowRange, timelineOf } from '../../range.ts';
import type { RangeSearch } from '../../range.ts';
import { dailyCharts, environmentRows, triggeredText } from './activity-figures.ts';
import { CaughtTraces } from './caught-traces.tsx';

interface ActivityProps {
  guardrail: Guardrail;
  range: RangeSearch;
  nowMs: number;
}

/** What a guardrail did in a time range: by day, by environment, and the traces that it caught. */
export function ActivityTab({ guardrail, range, nowMs }: ActivityProps): ReactNode {
  const { projectId } = useProject();
  const { slug } = guardrail;
  const query = useQuery({
    ...guardrailActivityQuery(projectId, rangeRequest(range, nowMs), { by: 'day', guardrail: slug }),
    placeholderData: keepPreviousData,
  });
  if (failureOf(query)) return <Failure error={query.error} onRetry={() => void query.refetch()} />;
  if (!query.data) return <PageSkeleton />;
  const own = query.data.byGuardrail.find((row) => row.guardrail === slug);
  if (!own || own.checks === 0) {
    return (
      <Empty title="No checks in this time range">
        {guardrail.enabled
          ? 'Checks from your application or the SDK appear here within seconds.'
          : 'This guardrail is disabled. Checks skip it.'}
      </Empty>
    );
  }
  return (
    <div
      className={classNames('flex flex-col gap-3', query.isPlaceholderData && 'opacity-60')}
      aria-busy={query.isPlaceholderData}
    >
      <Figures row={own} />
      <Charts {...{ guardrail, range, nowMs }} activity={query.data} />
      <div className="grid items-start gap-3 lg:grid-cols-2">
        <ByEnvironment {...{ guardrail, range, nowMs }} />
        <CaughtTraces {...{ guardrail, range, nowMs }} />
      </div>
    </div>
  );
}

function Figures({ row }: { row: GuardrailActivity['byGuardrail'][number] }): ReactNode {
  const { checks, caught, blocked, redacted, flagged, failed, failedBlocked, p95LatencyMs } = row;
  return (
    <Stats>
      <Stat label="Checks" value={<Count value={checks} />} />
      <Stat
        label="Caught"
        value={<Count value={caught} />}
        note={
          <>
            <Share value={caught / checks} /> of checks
          </>
        }
      />
      <Stat label="Blocked" value={<Count value={blocked - failedBlocked} />} />
      <Stat label="Redacted" value={<Count value={redacted} />} />
      <Stat label="Flagged" value={<Count value={flagged} />} />
      <Stat
        label="Failed"
        value={<Count value={failed} />}
        {...(failed > 0 ? { tone: 'bad' as const } : {})}
        note={failedBlocked > 0 ? `could not run, of which ${formatCount(failedBlocked)} blocked` : 'could not run'}
      />
      <Stat
        label="Latency, p95"
        value={p95LatencyMs === null ? <Absent why="Not measured" /> : <Duration ms={p95LatencyMs} />}
        note="of this guardrail"
      />
    </Stats>
  );
}

function Charts({ guardrail, range, nowMs, activity }: ActivityProps & { activity: GuardrailActivity }): ReactNode {
  const { at } = useProject();
  const navigate = useNavigate();
  const firstRow = activity.groups?.[0]?.key ?? undefined;
  const timeline = useMemo(() => timelineOf(range, nowMs, firstRow, 'day'), [range, nowMs, firstRow]);
  const changes = useRangeChanges(range, nowMs);
  const marks = useTimelineMarks(changes, timeline);
  const charts = useMemo(
    () =>
      dailyCharts(activity, timeline, (start) => {
        const search = { ...rowRange(range, timeline, start), q: triggeredText(guardrail) };
        void navigate({ ...pages.traces(at), search });
      }),
    [activity, range, timeline, guardrail, at, navigate],
  );
  return (
    <>
      <div className="grid gap-3 lg:grid-cols-2">
        {charts.map((chart) =>
          chart.series.length === 0 ? (
            <Card key={chart.title} title={chart.title}>
              <Empty title="Nothing caught">No check in this time range triggered this guardrail.</Empty>
            </Card>
          ) : (
            <Chart key={chart.title} model={chart} marks={marks} />
          ),
        )}
      </div>
      <ChangesNote range={range} loaded={changes} />
    </>
  );
}

function ByEnvironment({ guardrail: { slug }, range, nowMs }: ActivityProps): ReactNode {
  const { projectId } = useProject();
  const query = useQuery(guardrailActivityQuery(projectId, rangeRequest(range, nowMs), { by: 'environment', guardrail: slug }));
  return (
    <Card title="By environment">
      {failureOf(query) ? (
        <Failure error={query.error} onRetry={() => void query.refetch()} />
      ) : !query.data ? (
        <Skeleton className="m-3 h-24" />
      ) : (
        <PlainTable
          label="By environment"
          head={['Environment', 'Checks', 'Caught', 'Share', 'Failed']}
          rows={environmentRows(query.data).map(({ environment, checks, caught, failed }) => ({
            key: environment ?? '',
            cells: [
              environment === null ? (
                <Absent key="e" why="Checks without an environment" text="no environment" />
              ) : (
                <VisibleLine key="e" text={environment} />
              ),
              <Count key="c" value={checks} />,
              <Count key="t" value={caught} />,
              checks === 0 ? '–' : <Share key="s" value={caught / checks} />,
              <Count key="f" value={failed} />,
            ],
          }))}
        />
      )}
    </Card>
  );
}
