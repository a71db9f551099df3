import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { GitCompareArrows } from 'lucide-react';
import { useMemo } from 'react';
import type { ReactNode } from 'react';
import { datasetRunQuery } from '../../api/dataset-runs.ts';
import { datasetQuery } from '../../api/datasets.ts';
import type { RunDetail } from '../../api/service.ts';
import { buttonClass } from '../../design/button.tsx';
import { Stat, Stats } from '../../design/card.tsx';
import { Absent, Count, Moment, Score, Share, Usd } from '../../design/figures.tsx';
import { Failure, PageSkeleton } from '../../design/states.tsx';
import { VisibleLine } from '../../design/visible.tsx';
import { formatExact, formatShare } from '../../format/number-format.ts';
import { visibleText } from '../../format/visible-text.ts';
import { BackLink } from '../../frame/back-link.tsx';
import { Page } from '../../frame/page.tsx';
import { useProject } from '../../frame/project-context.ts';
import { pages } from '../../paths.ts';
import { DeleteRun } from './delete-run.tsx';
import { Latency } from './run-columns.tsx';
import { RunItems } from './run-items.tsx';

/** One run with its items. */
export default function RunPage(): ReactNode {
  const { at, projectId } = useProject();
  const navigate = useNavigate();
  const { datasetId, runId } = useParams({ from: '/o/$org/p/$project/datasets/$datasetId/runs/$runId' });
  const dataset = useQuery(datasetQuery(projectId, datasetId));
  const query = useInfiniteQuery(datasetRunQuery(projectId, datasetId, runId));
  const items = useMemo(() => query.data?.pages.flatMap((page) => page.items) ?? [], [query.data]);
  const run = query.data?.pages[0];
  const trail = (
    <span className="flex max-w-[45%] min-w-0 shrink-0 items-center gap-1 text-ink-faint">
      <Link {...pages.datasets(at)} className="hover:text-ink hover:underline">
        Datasets
      </Link>
      /
      <Link {...pages.dataset(at, datasetId)} search={{ tab: 'runs' }} className="min-w-0 hover:text-ink hover:underline">
        <VisibleLine text={dataset.data?.name ?? 'Dataset'} />
      </Link>
      /
    </span>
  );
  if (!run) {
    return (
      <Page title="Run" trail={trail}>
        {query.error ? (
          <Failure
            error={query.error}
            what="Run"
            back={
              <BackLink {...pages.dataset(at, datasetId)} search={{ tab: 'runs' }}>
                Back to runs
              </BackLink>
            }
            onRetry={() => void query.refetch()}
          />
        ) : (
          <PageSkeleton />
        )}
      </Page>
    );
  }
  return (
    <Page
      title={run.name}
      trail={trail}
      fill
      actions={
        <>
          <span className="text-ink-faint">
            Started <Moment iso={run.createdAt} />
          </span>
          <Link {...pages.dataset(at, datasetId)} search={{ tab: 'compare', b: runId }} className={buttonClass()}>
            <GitCompareArrows aria-hidden />
            Compare
          </Link>
          <DeleteRun
            datasetId={datasetId}
            run={run}
            onDeleted={() => void navigate({ ...pages.dataset(at, datasetId), search: { tab: 'runs' } })}
          />
        </>
      }
    >
      <div className="flex shrink-0 flex-col gap-2 px-4 py-3">
        <RunStats aggregates={run.aggregates} />
        <EvaluatorStats aggregates={run.aggregates} />
      </div>
      <RunItems datasetId={datasetId} run={run} items={items} query={query} />
    </Page>
  );
}

function RunStats({ aggregates }: { aggregates: RunDetail['aggregates'] }): ReactNode {
  const { itemCount, errorRate, latencyP50Ms, latencyP95Ms, costUsd, unpricedCalls, partlyPricedCalls } = aggregates;
  return (
    <Stats>
      <Stat label="Items" value={<Count value={itemCount} />} />
      <Stat label="Error rate" value={<Share value={errorRate} />} tone={errorRate > 0 ? 'bad' : 'plain'} />
      <Stat label="Latency p50" value={<Latency ms={latencyP50Ms} />} />
      <Stat label="Latency p95" value={<Latency ms={latencyP95Ms} />} />
      <Stat label="Total cost" value={<Usd wraps value={costUsd} unpriced={unpricedCalls} partly={partlyPricedCalls} />} />
    </Stats>
  );
}

function EvaluatorStats({ aggregates }: { aggregates: RunDetail['aggregates'] }): ReactNode {
  const { byEvaluator } = aggregates;
  return (
    <section aria-label="Scores by evaluator" className="scroll-thin max-h-44 overflow-auto max-sm:max-h-56" tabIndex={0}>
      {byEvaluator.length === 0 ? (
        <p className="text-ink-faint">
          No scores yet. Runs are scored by the project’s evaluators and by scores of the items’ traces.
        </p>
      ) : (
        <Stats>
          {byEvaluator.map(({ evaluator, avgScore, passRate, count, failed, skipped, waiting }) => (
            <Stat
              key={evaluator}
              label={visibleText(evaluator)}
              value={avgScore === null ? <Absent why="No scores" /> : <Score value={avgScore} />}
              tone={failed > 0 ? 'bad' : 'plain'}
              note={[
                ...(passRate === null ? [] : [`${formatShare(passRate)} passed`]),
                `${formatExact(count)} scored`,
                ...(failed === 0 ? [] : [`${formatExact(failed)} failed`]),
                ...(skipped === 0 ? [] : [`${formatExact(skipped)} skipped`]),
                ...(waiting === 0 ? [] : [`${formatExact(waiting)} waiting`]),
              ].join(', ')}
            />
          ))}
        </Stats>
      )}
    </section>
  );
}
