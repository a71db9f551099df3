import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { ArrowLeftRight } from 'lucide-react';
import { useMemo } from 'react';
import type { ReactNode } from 'react';
import { compareRunsQuery, datasetRunsQuery } from '../../api/dataset-runs.ts';
import { failureOf } from '../../api/failure-of.ts';
import type { Dataset, Run } from '../../api/service.ts';
import { useAllPages } from '../../api/use-pages.ts';
import { IconButton } from '../../design/button.tsx';
import { Select } from '../../design/field.tsx';
import { Empty, Failure, ListSkeleton } from '../../design/states.tsx';
import { formatMoment } from '../../format/time-format.ts';
import { visibleText } from '../../format/visible-text.ts';
import { useProject } from '../../frame/project-context.ts';
import { ComparedItems } from './compared-items.tsx';
import { ComparisonSummary } from './comparison-summary.tsx';
import { NoRuns } from './runs-tab.tsx';
import type { DatasetSearch } from './search.ts';

/** Compares two runs of a dataset. */
export default function CompareTab({ dataset }: { dataset: Dataset }): ReactNode {
  const { projectId } = useProject();
  const search = useSearch({ from: '/o/$org/p/$project/datasets/$datasetId' });
  const query = useInfiniteQuery(datasetRunsQuery(projectId, dataset.id));
  const runs = useMemo(() => query.data?.pages.flatMap((page) => page.runs) ?? [], [query.data]);
  // For the selects.
  useAllPages(query);
  if (failureOf(query)) return <Failure error={query.error} onRetry={() => void query.refetch()} />;
  if (query.isPending) return <ListSkeleton />;
  if (runs.length === 0) return <NoRuns datasetId={dataset.id} />;
  if (runs.length === 1) {
    return <Empty title="Only one run">Create another run to compare.</Empty>;
  }
  // By default, the newest run is compared with the previous one.
  const b = search.b ?? runs.find(({ id }) => id !== search.a)?.id ?? '';
  const a =
    search.a ?? runs.slice(indexOf(runs, b) + 1).find(({ id }) => id !== b)?.id ?? runs.find(({ id }) => id !== b)?.id ?? '';
  return (
    <div className="flex h-full min-h-0 flex-col">
      <RunChoice runs={runs} a={a} b={b} />
      {a === b ? (
        <Empty title="Same run selected twice">Choose another baseline or candidate.</Empty>
      ) : (
        <Comparison datasetId={dataset.id} runs={runs} a={a} b={b} />
      )}
    </div>
  );
}

function indexOf(runs: readonly Run[], id: string): number {
  return runs.findIndex((run) => run.id === id);
}

function RunChoice({ runs, a, b }: { runs: readonly Run[]; a: string; b: string }): ReactNode {
  const navigate = useNavigate();
  const change = (next: DatasetSearch) =>
    void navigate({ to: '.', search: (before: DatasetSearch) => ({ ...before, ...next }), replace: true });
  const options = runs.map(({ id, name, createdAt }) => ({
    value: id,
    label: `${visibleText(name)} · ${formatMoment(createdAt)}`,
  }));
  const withUnknown = (id: string) => (indexOf(runs, id) < 0 ? [{ value: id, label: 'Deleted run' }, ...options] : options);
  return (
    <div className="flex flex-wrap items-end gap-2 border-b border-line px-3 pt-1.5 pb-2">
      <Select
        label="Baseline"
        className="min-w-0 max-w-xl flex-1 basis-72"
        value={a}
        options={withUnknown(a)}
        onValue={(id) => change({ a: id, b })}
      />
      <IconButton label="Swap runs" onClick={() => change({ a: b, b: a })}>
        <ArrowLeftRight aria-hidden />
      </IconButton>
      <Select
        label="Candidate"
        className="min-w-0 max-w-xl flex-1 basis-72"
        value={b}
        options={withUnknown(b)}
        onValue={(id) => change({ a, b: id })}
      />
    </div>
  );
}

interface ComparisonProps {
  datasetId: string;
  runs: readonly Run[];
  a: string;
  b: string;
}

function Comparison({ datasetId, runs, a, b }: ComparisonProps): ReactNode {
  const { projectId } = useProject();
  const query = useQuery(compareRunsQuery(projectId, datasetId, a, b));
  if (failureOf(query)) return <Failure error={query.error} onRetry={() => void query.refetch()} />;
  if (!query.data) return <ListSkeleton />;
  if (query.data.items.length === 0)
    return <Empty title="No items in these runs">Items appear as your application sends them.</Empty>;
  return (
    <>
      <ComparisonSummary
        deltas={query.data.byEvaluator}
        a={runs.find(({ id }) => id === a)?.aggregates}
        b={runs.find(({ id }) => id === b)?.aggregates}
      />
      <ComparedItems datasetId={datasetId} comparison={query.data} />
    </>
  );
}
