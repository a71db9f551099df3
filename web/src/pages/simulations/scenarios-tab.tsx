import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { ReactNode } from 'react';
import { datasetsQuery } from '../../api/datasets.ts';
import { failureOf } from '../../api/failure-of.ts';
import { scenariosQuery } from '../../api/simulations.ts';
import type { Scenario } from '../../api/service.ts';
import { useAllPages, useMore } from '../../api/use-pages.ts';
import { DataTable } from '../../design/data-table.tsx';
import { ListEnd } from '../../design/list-end.tsx';
import { Empty, Failure, ListSkeleton } from '../../design/states.tsx';
import { countedExactly } from '../../format/number-format.ts';
import { useProject } from '../../frame/project-context.ts';
import { pages } from '../../paths.ts';
import { scenarioColumns } from './scenario-columns.tsx';

/** The list of scenarios. @param create the link to a new one; false without permission */
export function ScenariosTab({ create }: { create: ReactNode }): ReactNode {
  const { at, projectId, can } = useProject();
  const navigate = useNavigate();
  const query = useInfiniteQuery(scenariosQuery(projectId));
  const datasets = useInfiniteQuery(datasetsQuery(projectId));
  const more = useMore(query);
  // All of them, for the names of the column.
  useAllPages(datasets);
  const canWrite = can('simulations:manage');
  const columns = useMemo(() => {
    const names = datasets.data?.pages.flatMap((page) => page.datasets.map(({ id, name }) => [id, name] as const));
    return scenarioColumns(at, new Map(names), canWrite);
  }, [at, datasets.data, canWrite]);
  const scenarios = useMemo(() => query.data?.pages.flatMap((page) => page.scenarios) ?? [], [query.data]);
  if (failureOf(query)) return <Failure error={query.error} onRetry={() => void query.refetch()} />;
  if (query.isPending) return <ListSkeleton />;
  if (scenarios.length === 0) {
    return (
      <Empty title="No scenarios" action={create}>
        A scenario sends the items of a dataset to your application or to a prompt, and says what a right answer is. Its batch
        runs are compared before a change is released.
      </Empty>
    );
  }
  return (
    <DataTable<Scenario>
      label="Scenarios"
      columns={columns}
      rows={scenarios}
      rowKey={({ id }) => id}
      sortedByService
      onOpen={({ id }) => void navigate(pages.scenario(at, id))}
      onEnd={more}
      className="h-full"
      footer={<ListEnd pages={query}>{countedExactly(scenarios.length, 'scenario')}</ListEnd>}
    />
  );
}
