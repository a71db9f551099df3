import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import type { ReactNode } from 'react';
import { failureOf } from '../../api/failure-of.ts';
import { evaluationsQuery } from '../../api/evaluators.ts';
import type { EvaluationRecord } from '../../api/wire.ts';
import { Button, buttonClass } from '../../design/button.tsx';
import { classNames } from '../../design/class-names.ts';
import { DataTable } from '../../design/data-table.tsx';
import { Empty, Failure, PageSkeleton } from '../../design/states.tsx';
import { countedExactly } from '../../format/number-format.ts';
import { Page } from '../../frame/page.tsx';
import { useProject } from '../../frame/project-context.ts';
import { pages } from '../../paths.ts';
import { evaluationColumns } from './evaluation-columns.tsx';
import { EvaluationDetail } from './evaluation-detail.tsx';
import { EvaluationsToolbar } from './evaluations-toolbar.tsx';
import { QueueFigures } from './queue-figures.tsx';
import { evaluationsRequest } from './evaluations-search.ts';
import type { EvaluationsSearch } from './evaluations-search.ts';

/** Columns that the open run shows as well: beside it there is no room for them. */
const besideDetail = ['type', 'usage', 'took', 'created'];

/** Runs of evaluators, newest first, and the state of their queue. */
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
  const { fetchNextPage, hasNextPage, isFetchingNextPage } = query;
  const more = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [fetchNextPage, hasNextPage, isFetchingNextPage]);
  const open = evaluations.find(({ id }) => id === search.open);
  const queue = query.data?.pages[0]?.queue;
  return (
    <Page title="Evaluations" fill>
      {queue && <QueueFigures queue={queue} />}
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
          <DataTable<EvaluationRecord>
            label="Evaluations"
            columns={columns}
            rows={evaluations}
            rowKey={({ id }) => id}
            hidden={open ? besideDetail : []}
            sortedByService
            onOpen={({ id }) => change({ open: id })}
            onEnd={more}
            className={classNames('min-h-0 min-w-0 flex-1 bg-surface', query.isPlaceholderData && 'opacity-60')}
            footer={
              <p className="px-3 py-2 text-xs text-ink-faint">
                {hasNextPage ? 'Loading more…' : `That is all: ${countedExactly(evaluations.length, 'run')}.`}
              </p>
            }
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
    return (
      <Empty title="No run matches" action={<Button onClick={onClear}>Clear the filters</Button>}>
        Nothing was evaluated that way within the plan's retention.
      </Empty>
    );
  }
  return (
    <Empty
      title="Nothing was evaluated yet"
      action={
        <Link {...pages.evaluators(at)} className={buttonClass('primary')}>
          Go to the evaluators
        </Link>
      }
    >
      An enabled evaluator runs on what arrives from now on, and on items that are added to dataset runs.
    </Empty>
  );
}
