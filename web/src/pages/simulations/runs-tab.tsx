import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { ReactNode } from 'react';
import { failureOf } from '../../api/failure-of.ts';
import { batchRunsQuery } from '../../api/simulations.ts';
import type { BatchRun } from '../../api/service.ts';
import { useMore } from '../../api/use-pages.ts';
import { DataTable } from '../../design/data-table.tsx';
import { ListEnd } from '../../design/list-end.tsx';
import { Select } from '../../design/field.tsx';
import { SearchBox } from '../../design/search-box.tsx';
import { Empty, Failure, ListSkeleton } from '../../design/states.tsx';
import { countedExactly } from '../../format/number-format.ts';
import { useProject } from '../../frame/project-context.ts';
import { pages } from '../../paths.ts';
import { runColumns } from './run-columns.tsx';
import { ScenarioPicker } from './scenario-picker.tsx';
import type { SimulationsSearch } from './search.ts';
import { batchRunStatuses } from '../../../../src/contract/kinds.ts';

const from = '/o/$org/p/$project/simulations';

/** The batch runs, of all scenarios or of one, newest first, with filters. */
export function RunsTab(): ReactNode {
  const { at, projectId } = useProject();
  const { scenario: scenarioId, status, q } = useSearch({ from });
  const navigate = useNavigate({ from });
  const query = useInfiniteQuery(batchRunsQuery(projectId, { scenarioId, status, q }));
  const change = (next: SimulationsSearch) =>
    void navigate({ to: '.', search: (before: SimulationsSearch) => ({ ...before, ...next }), replace: true });
  const more = useMore(query);
  const runs = useMemo(() => query.data?.pages.flatMap(({ batchRuns }) => batchRuns) ?? [], [query.data]);
  const columns = useMemo(
    () => runColumns(at, runs).filter(({ id }) => scenarioId === undefined || id !== 'scenario'),
    [at, runs, scenarioId],
  );
  const isFiltered = scenarioId !== undefined || status !== undefined || q !== undefined;
  if (failureOf(query)) return <Failure error={query.error} onRetry={() => void query.refetch()} />;
  if (!query.isPending && runs.length === 0 && !isFiltered) {
    return (
      <Empty title="No batch runs">
        A batch run sends every item of the dataset once or several times. Start one from a scenario, or with{' '}
        <code className="font-mono text-xs">spanwise simulate</code> in a pipeline.
      </Empty>
    );
  }
  return (
    <div className="flex h-full min-h-0 flex-col">
      <div
        className="flex flex-wrap items-end gap-2 border-b border-line px-3 pt-1.5 pb-2"
        role="group"
        aria-label="Filter batch runs"
      >
        <ScenarioPicker value={scenarioId ?? ''} onValue={(id) => change({ scenario: id === '' ? undefined : id })} />
        <Select
          label="Status"
          className="w-36"
          value={status ?? ''}
          options={[{ value: '', label: 'All statuses' }, ...batchRunStatuses.map((one) => ({ value: one, label: one }))]}
          onValue={(next) => change({ status: next === '' ? undefined : next })}
        />
        <SearchBox
          label="Search label or scenario"
          value={q ?? ''}
          onSearch={(text) => change({ q: text === '' ? undefined : text })}
        />
      </div>
      {query.isPending ? (
        <ListSkeleton />
      ) : runs.length === 0 ? (
        <Empty title="No batch runs">No batch run matches the filter.</Empty>
      ) : (
        <DataTable<BatchRun>
          label="Batch runs"
          columns={columns}
          rows={runs}
          rowKey={({ id }) => id}
          sortedByService
          onOpen={({ id }) => void navigate(pages.batchRun(at, id))}
          onEnd={more}
          className="min-h-0 flex-1"
          footer={<ListEnd pages={query}>{countedExactly(runs.length, 'batch run')}</ListEnd>}
        />
      )}
    </div>
  );
}
