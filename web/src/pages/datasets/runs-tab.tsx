import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { GitCompareArrows } from 'lucide-react';
import { useCallback, useMemo, useState } from 'react';
import type { ReactNode } from 'react';
import { datasetRunsQuery } from '../../api/dataset-runs.ts';
import { datasetItemsQuery } from '../../api/datasets.ts';
import { failureOf } from '../../api/failure-of.ts';
import type { Dataset, Run } from '../../api/service.ts';
import { useMore } from '../../api/use-pages.ts';
import { Button } from '../../design/button.tsx';
import { Snippet } from '../../design/copy.tsx';
import { DataTable } from '../../design/data-table.tsx';
import { ListEnd } from '../../design/list-end.tsx';
import { Empty, Failure, ListSkeleton } from '../../design/states.tsx';
import { countedExactly } from '../../format/number-format.ts';
import { useProject } from '../../frame/project-context.ts';
import { pages } from '../../paths.ts';
import { runColumns } from './run-columns.tsx';
import { runSnippet } from './snippets.ts';

/** The runs of a dataset. Two of them can be selected and compared. */
export function RunsTab({ dataset }: { dataset: Dataset }): ReactNode {
  const { at, projectId } = useProject();
  const navigate = useNavigate();
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const query = useInfiniteQuery(datasetRunsQuery(projectId, dataset.id));
  const runs = useMemo(() => query.data?.pages.flatMap((page) => page.runs) ?? [], [query.data]);
  const choose = useCallback(
    (id: string) =>
      // A third selection replaces the first.
      setChosen((before) => (before.includes(id) ? before.filter((one) => one !== id) : [...before.slice(-1), id])),
    [],
  );
  const columns = useMemo(() => runColumns(at, dataset.id, runs, chosen, choose), [at, dataset.id, runs, chosen, choose]);
  const more = useMore(query);
  if (failureOf(query)) return <Failure error={query.error} onRetry={() => void query.refetch()} />;
  if (query.isPending) return <ListSkeleton />;
  if (runs.length === 0) return <NoRuns datasetId={dataset.id} />;
  const compare = () => {
    // The older run is the baseline.
    const [a, b] = chosen.toSorted((left, right) => indexOf(runs, right) - indexOf(runs, left));
    void navigate({ ...pages.dataset(at, dataset.id), search: { tab: 'compare', a, b } });
  };
  return (
    <div className="flex h-full min-h-0 flex-col">
      {runs.length > 1 && (
        <div className="flex items-center gap-3 border-b border-line px-3 py-1.5">
          <Button size="small" disabled={chosen.length !== 2} onClick={compare}>
            <GitCompareArrows aria-hidden />
            Compare
          </Button>
          <span className="text-xs text-ink-faint" role="status">
            {chosen.length === 2 ? '2 runs selected' : `${chosen.length} of 2 runs selected`}
          </span>
        </div>
      )}
      <DataTable<Run>
        label="Runs"
        columns={columns}
        rows={runs}
        rowKey={({ id }) => id}
        sortedByService
        onOpen={({ id }) => void navigate(pages.datasetRun(at, dataset.id, id))}
        onEnd={more}
        className="min-h-0 flex-1"
        footer={<ListEnd pages={query}>{countedExactly(runs.length, 'run')}</ListEnd>}
      />
    </div>
  );
}

function indexOf(runs: readonly Run[], id: string | undefined): number {
  return runs.findIndex((run) => run.id === id);
}

/** The empty state of the runs tab. */
export function NoRuns({ datasetId }: { datasetId: string }): ReactNode {
  const { projectId } = useProject();
  const items = useInfiniteQuery(datasetItemsQuery(projectId, datasetId));
  const first = items.data?.pages[0]?.items[0];
  return (
    <div className="scroll-thin h-full overflow-auto pb-6">
      <Empty title="No runs">
        {items.data !== undefined && first === undefined
          ? 'Add items first. Then create a run and send the output of your application for each item.'
          : 'Create a run and send the output of your application for each item. Evaluators score the outputs, and runs can be compared.'}
      </Empty>
      <div className="mx-auto max-w-3xl px-4">
        <Snippet label="curl commands to create a run" text={runSnippet(location.origin, datasetId, first?.id ?? 'ITEM_ID')} />
      </div>
    </div>
  );
}
