import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { ReactNode } from 'react';
import { failureOf } from '../../api/failure-of.ts';
import { outcomeKindsQuery, outcomeSummaryQuery } from '../../api/outcomes.ts';
import type { OutcomeSummary } from '../../api/service.ts';
import { Badge } from '../../design/badge.tsx';
import { Button } from '../../design/button.tsx';
import { Card, Stat, Stats } from '../../design/card.tsx';
import { Chart } from '../../design/chart.tsx';
import { classNames } from '../../design/class-names.ts';
import { Snippet } from '../../design/copy.tsx';
import { Select } from '../../design/field.tsx';
import { Count, Money } from '../../design/figures.tsx';
import { Empty, Failure, PageSkeleton } from '../../design/states.tsx';
import { ChangesNote } from '../../frame/changes-note.tsx';
import { Page } from '../../frame/page.tsx';
import { useProject } from '../../frame/project-context.ts';
import { EnvironmentPicker } from '../../frame/environment-picker.tsx';
import { RangePicker } from '../../frame/range-picker.tsx';
import { useNow } from '../../frame/use-now.ts';
import { useRangeChanges, useTimelineMarks } from '../../frame/use-range-changes.ts';
import { urlTo } from '../../api/operations.ts';
import { linkFigures, figuresRequest, timelineOf } from '../../range.ts';
import { currencyTotals, outcomeCharts } from './outcome-figures.ts';
import { KindsCard, MembersCard } from './outcome-tables.tsx';
import type { OutcomesSearch } from './search.ts';

/** Currencies whose value is shown above the charts. */
const maxCurrencies = 3;

/** What the traces of a project led to: by kind over time, by agent and by model. */
export default function OutcomesPage(): ReactNode {
  const { projectId } = useProject();
  const search = useSearch({ from: '/o/$org/p/$project/outcomes' });
  const nowMs = useNow(search);
  const query = useQuery({
    ...outcomeSummaryQuery(projectId, figuresRequest(search, nowMs), search.kind),
    placeholderData: keepPreviousData,
  });
  return (
    <Page
      title="Outcomes"
      badges={
        query.data?.truncated && (
          <Badge tone="warn" title="There are more rows than are shown.">
            truncated
          </Badge>
        )
      }
      actions={
        <>
          <KindChoice search={search} nowMs={nowMs} />
          <EnvironmentPicker />
          <RangePicker />
        </>
      }
    >
      {failureOf(query) ? (
        <Failure error={query.error} onRetry={() => void query.refetch()} />
      ) : !query.data ? (
        <PageSkeleton />
      ) : query.data.totals.length === 0 ? (
        <NoOutcomes kind={search.kind} />
      ) : (
        <OutcomesBody summary={query.data} search={search} nowMs={nowMs} outdated={query.isPlaceholderData} />
      )}
    </Page>
  );
}

/** Chooses one kind, or all of them. */
function KindChoice({ search, nowMs }: { search: OutcomesSearch; nowMs: number }): ReactNode {
  const { projectId } = useProject();
  const setKind = useSetKind();
  const { data } = useQuery({
    ...outcomeKindsQuery(projectId, figuresRequest(search, nowMs)),
    placeholderData: keepPreviousData,
  });
  const { kind = '' } = search;
  const known = data?.kinds.map((row) => row.kind) ?? [];
  const kinds = kind === '' || known.includes(kind) ? known : [kind, ...known];
  return (
    <Select
      label="Kind"
      labelHidden
      className="w-44"
      value={kind}
      options={[{ value: '', label: 'All kinds' }, ...kinds.map((one) => ({ value: one, label: one }))]}
      onValue={(next) => setKind(next === '' ? undefined : next)}
    />
  );
}

function useSetKind(): (kind: string | undefined) => void {
  const navigate = useNavigate();
  return (kind) => void navigate({ to: '.', search: (before: OutcomesSearch) => ({ ...before, kind }), replace: true });
}

interface OutcomesBodyProps {
  summary: OutcomeSummary;
  search: OutcomesSearch;
  nowMs: number;
  /** Shows the previous range while the new one loads. */
  outdated: boolean;
}

function OutcomesBody({ summary, search, nowMs, outdated }: OutcomesBodyProps): ReactNode {
  const range = useMemo(() => linkFigures(search), [search]);
  const firstRow = summary.timeline[0]?.day;
  const timeline = useMemo(() => timelineOf(range, nowMs, firstRow, 'day'), [range, nowMs, firstRow]);
  const changes = useRangeChanges(range, nowMs);
  const marks = useTimelineMarks(changes, timeline);
  const charts = useMemo(() => outcomeCharts(summary, timeline), [summary, timeline]);
  return (
    <div className={classNames('flex flex-col gap-3', outdated && 'opacity-60')} aria-busy={outdated}>
      <OutcomeStats summary={summary} />
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
      <KindsCard summary={summary} range={range} />
      <MembersCard by="model" rows={summary.byModel} range={range} />
      <MembersCard by="agent" rows={summary.byAgent} range={range} />
      <p className="text-xs text-ink-faint">
        Costs are whole costs of traces. A trace counts in every row that one of its outcomes belongs to.
      </p>
    </div>
  );
}

function OutcomeStats({ summary }: { summary: OutcomeSummary }): ReactNode {
  const sum = (read: (row: OutcomeSummary['totals'][number]) => number) =>
    summary.totals.reduce((total, row) => total + read(row), 0);
  return (
    <Stats>
      <Stat label="Outcomes" value={<Count value={sum(({ count }) => count)} />} />
      <Stat label="Successful" value={<Count value={sum(({ successCount }) => successCount)} />} />
      {currencyTotals(summary)
        .slice(0, maxCurrencies)
        .map(({ currency, value }) => (
          <Stat key={currency} label={`Value (${currency})`} value={<Money value={value} currency={currency} />} />
        ))}
    </Stats>
  );
}

function NoOutcomes({ kind }: { kind: string | undefined }): ReactNode {
  const setKind = useSetKind();
  if (kind !== undefined) {
    return (
      <Empty title="No outcomes of this kind" action={<Button onClick={() => setKind(undefined)}>Show all kinds</Button>}>
        Choose a longer time range, or another kind.
      </Empty>
    );
  }
  return (
    <>
      <Empty title="No outcomes in this time range">
        An outcome says what a trace led to, such as an order. Report it with the ID of the trace.
      </Empty>
      <Card title="Report an outcome">
        <div className="p-3">
          <Snippet label="curl command to report an outcome" text={reportSnippet()} />
        </div>
      </Card>
    </>
  );
}

function reportSnippet(): string {
  return `curl -fsS ${location.origin}${urlTo('/v1/ingest/outcomes')} \\
  -H "x-api-key: $SPANWISE_API_KEY" -H 'content-type: application/json' \\
  -d '{"traceId":"'"$TRACE_ID"'","kind":"order.placed","success":true,"value":49.9,"currency":"EUR"}'`;
}
