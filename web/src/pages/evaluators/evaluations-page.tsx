import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import type { ReactNode } from 'react';
import { failureOf } from '../../api/failure-of.ts';
import { evaluationsQuery } from '../../api/evaluators.ts';
import type { Evaluation } from '../../api/service.ts';
import { useMore } from '../../api/use-pages.ts';
import { Button, buttonClass } from '../../design/button.tsx';
import { classNames } from '../../design/class-names.ts';
import { DataTable } from '../../design/data-table.tsx';
import { ListEnd } from '../../design/list-end.tsx';
import { Empty, Failure, PageSkeleton } from '../../design/states.tsx';
import { countedExactly } from '../../format/number-format.ts';
import { Page } from '../../frame/page.tsx';
import { useProject } from '../../frame/project-context.ts';
import { pages } from '../../paths.ts';
import { evaluationColumns } from './evaluation-columns.tsx';
import { EvaluationDetail } from './evaluation-detail.tsx';
import { EvaluationsToolbar } from './evaluations-toolbar.tsx';
import { QueueStats } from './queue-stats.tsx';
import { evaluationsRequest } from './evaluations-search.ts';
import type { EvaluationsSearch } from './evaluations-search.ts';

/** Columns hidden while the panel, which shows the same values, is open. */
const panelColumns = ['type', 'usage', 'duration', 'created'];

/** The list of evaluations, newest first, with the state of the queue. */
export default function EvaluationsPage(): ReactNode {
  const { projectId } = useProject();
  const search = useSearch({ from: '/o/$org/p/$project/evaluations' });
  const navigate = useNavigate();
  const request = useMemo(() => evaluationsRequest(search), [search]);
  const query = useInfiniteQuery({ ...evaluationsQuery(projectId, request), placeholderData: keepPreviousData });
  const columns = useMemo(() => evaluationColumns(search), [search]);
  const evaluations = useMemo(() => query.data?.pages.flatMap((page) => page.evaluations) ?? [], [query.data]);
  const change = useCallback(
    (next: Partial<EvaluationsSearch>) =>
      void navigate({ to: '.', search: { ...search, ...next }, replace: Object.keys(next).every((name) => name === 'open') }),
    [navigate, search],
  );
  const more = useMore(query);
  const open = evaluations.find(({ id }) => id === search.open);
  const queue = query.data?.pages[0]?.queue;
  return (
    <Page title="Evaluations" fill>
      {queue && <QueueStats queue={queue} />}
      <EvaluationsToolbar
        {...{ search }}
        refreshing={query.isFetching}
        onChange={change}
        onRefresh={() => void query.refetch()}
      />
      {failureOf(query) ? (
        <Failure error={query.error} onRetry={() => void query.refetch()} />
      ) : query.isPending ? (
        <div className="p-4">
          <PageSkeleton />
        </div>
      ) : evaluations.length === 0 ? (
        <NoEvaluations search={search} onClear={() => change({ evaluator: undefined, status: undefined, target: undefined })} />
      ) : (
        <div className="flex min-h-0 flex-1">
          <DataTable<Evaluation>
            label="Evaluations"
            columns={columns}
            rows={evaluations}
            rowKey={({ id }) => id}
            hidden={open ? panelColumns : []}
            sortedByService
            onOpen={({ id }) => change({ open: id })}
            onEnd={more}
            className={classNames('min-h-0 min-w-0 flex-1 bg-surface', query.isPlaceholderData && 'opacity-60')}
            footer={<ListEnd pages={query}>{countedExactly(evaluations.length, 'evaluation')}</ListEnd>}
          />
          {open && <EvaluationDetail evaluation={open} onClose={() => change({ open: undefined })} />}
        </div>
      )}
    </Page>
  );
}

function NoEvaluations({ search, onClear }: { search: EvaluationsSearch; onClear(): void }): ReactNode {
  const { at } = useProject();
  if (search.evaluator !== undefined || search.status !== undefined || search.target !== undefined) {
    return <Empty title="No matching evaluations" action={<Button onClick={onClear}>Clear filters</Button>} />;
  }
  return (
    <Empty
      title="No evaluations"
      action={
        <Link {...pages.evaluators(at)} className={buttonClass('primary')}>
          Go to Evaluators
        </Link>
      }
    >
      Enabled evaluators score new data and items added to dataset runs.
    </Empty>
  );
}
