import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useParams, useSearch } from '@tanstack/react-router';
import { Ban } from 'lucide-react';
import { useEffect, useMemo, useRef } from 'react';
import type { ReactNode } from 'react';
import { failureOf } from '../../api/failure-of.ts';
import { batchDistributionsQuery, batchRunQuery, invalidateItems, isActive, useBatchRunActions } from '../../api/simulations.ts';
import type { BatchRun, Distributions } from '../../api/service.ts';
import { Button } from '../../design/button.tsx';
import { Stat, Stats } from '../../design/card.tsx';
import { Chart } from '../../design/chart.tsx';
import { Absent, Count, Duration, Moment, Share, Usd } from '../../design/figures.tsx';
import { Failure, PageSkeleton } from '../../design/states.tsx';
import { useToast } from '../../design/toast.tsx';
import { Visible, VisibleLine } from '../../design/visible.tsx';
import { BackLink } from '../../frame/back-link.tsx';
import { Page } from '../../frame/page.tsx';
import { useProject } from '../../frame/project-context.ts';
import { pages } from '../../paths.ts';
import { BatchItems } from './batch-items.tsx';
import { CompareRun, itemsId } from './compare-run.tsx';
import { distributionCharts } from './distribution-charts.ts';
import { GatePanel } from './gate-panel.tsx';
import { Progress, RunStatus } from './run-status.tsx';
import { SimulationsTrail } from './trail.tsx';

/** One batch run: its progress, the gate, and its items. */
export default function BatchRunPage(): ReactNode {
  const { at, projectId } = useProject();
  const { batchRunId } = useParams({ from: '/o/$org/p/$project/simulations/runs/$batchRunId' });
  const query = useQuery(batchRunQuery(projectId, batchRunId));
  const failure = failureOf(query);
  if (query.data && !failure) return <Body key={batchRunId} run={query.data.batchRun} />;
  return (
    <Page title="Batch run" trail={<SimulationsTrail tab="runs" />}>
      {failure ? (
        <Failure
          error={failure}
          what="Batch run"
          back={<BackLink {...pages.simulations(at)}>Back to simulations</BackLink>}
          onRetry={() => void query.refetch()}
        />
      ) : (
        <PageSkeleton />
      )}
    </Page>
  );
}

function Body({ run }: { run: BatchRun }): ReactNode {
  const { at, can } = useProject();
  useFreshItems(run);
  return (
    <Page
      title={run.label ?? `Run ${run.id.slice(-8)}`}
      trail={<SimulationsTrail tab="runs" />}
      badges={<RunStatus status={run.status} />}
      actions={
        <>
          <CompareRun run={run} />
          {can('simulations:manage') && isActive(run) && <Cancel run={run} />}
        </>
      }
    >
      <p className="flex min-w-0 flex-wrap gap-x-2 text-ink-soft">
        <Link {...pages.scenario(at, run.scenarioId)} className="min-w-0 hover:text-accent hover:underline">
          <VisibleLine text={run.scenarioName} />
        </Link>
        <span className="text-ink-faint">
          created <Moment iso={run.createdAt} /> by <Visible text={run.createdBy} />
        </span>
      </p>
      {run.error !== null && (
        <p role="alert" className="rounded-md bg-bad-soft px-3 py-2 text-bad">
          <Visible text={run.error} />
        </p>
      )}
      <Progress counts={run.counts} />
      <Figures run={run} />
      <Compared run={run} />
      <GatePanel run={run} />
    </Page>
  );
}

/** The items, and the distributions of their latency and cost; beside those of a baseline where one is chosen. */
function Compared({ run }: { run: BatchRun }): ReactNode {
  const data = useDistributions(run);
  const charts = useMemo(() => (data ? distributionCharts(data) : []), [data]);
  return (
    <>
      <div id={itemsId} tabIndex={-1} className="outline-none">
        <BatchItems run={run} changes={data?.changes ?? null} />
      </div>
      {charts.length > 0 && (
        <div className="grid gap-3 lg:grid-cols-2">
          {charts.map((chart) => (
            <Chart key={chart.title} model={chart} height={180} />
          ))}
        </div>
      )}
    </>
  );
}

/** The distributions, beside those of the chosen baseline; undefined until they are read. */
function useDistributions({ id }: BatchRun): Distributions | undefined {
  const { projectId } = useProject();
  const { baseline } = useSearch({ from: '/o/$org/p/$project/simulations/runs/$batchRunId' });
  return useQuery(batchDistributionsQuery(projectId, id, baseline)).data;
}

/** Items are read again as soon as more of them have ended. */
function useFreshItems({ id, counts }: BatchRun): void {
  const { projectId } = useProject();
  const client = useQueryClient();
  const seen = useRef(counts.pending);
  useEffect(() => {
    if (seen.current === counts.pending) return;
    seen.current = counts.pending;
    void invalidateItems(client, projectId, id);
  }, [client, projectId, id, counts.pending]);
}

function Cancel({ run }: { run: BatchRun }): ReactNode {
  const { projectId } = useProject();
  const { cancel } = useBatchRunActions(projectId);
  const say = useToast();
  return (
    <Button
      busy={cancel.isPending}
      onClick={() =>
        cancel.mutate(run.id, {
          onSuccess: () => say('Batch run cancelled'),
          onError: (error) => say(error.message, 'bad'),
        })
      }
    >
      <Ban aria-hidden />
      Cancel
    </Button>
  );
}

function Figures({ run }: { run: BatchRun }): ReactNode {
  const { counts, passRate, errorRate, latencyP95Ms, costUsd, unpricedCalls, partlyPricedCalls } = run;
  const none = <Absent why="No item has ended" />;
  const costs = useDistributions(run)?.costUsd;
  const hasCalls = costs === undefined || costs.some(({ count }) => count > 0) || unpricedCalls > 0;
  return (
    <Stats>
      <Stat label="Passed" value={<Count value={counts.passed} />} />
      <Stat label="Failed" value={<Count value={counts.failed} />} />
      <Stat label="Errors" value={<Count value={counts.error} />} tone={counts.error > 0 ? 'bad' : 'plain'} />
      <Stat label="Pending" value={<Count value={counts.pending} />} />
      {counts.cancelled > 0 && <Stat label="Cancelled" value={<Count value={counts.cancelled} />} />}
      <Stat label="Pass rate" value={passRate === null ? none : <Share value={passRate} />} />
      <Stat label="Error rate" value={errorRate === null ? none : <Share value={errorRate} />} />
      <Stat label="Latency p95" value={latencyP95Ms === null ? none : <Duration ms={latencyP95Ms} />} />
      <Stat
        label="Total cost"
        value={
          hasCalls ? (
            <Usd value={costUsd} unpriced={unpricedCalls} partly={partlyPricedCalls} />
          ) : (
            <Absent why="No item has a cost" />
          )
        }
      />
    </Stats>
  );
}
