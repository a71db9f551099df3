import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useMemo } from 'react';
import type { ReactNode } from 'react';
import type { DatasetRunItem } from '../../api/parts.ts';
import type { RunDetail } from '../../api/service.ts';
import { useMore } from '../../api/use-pages.ts';
import { readSort, sortText } from '../../design/column.ts';
import { DataTable } from '../../design/data-table.tsx';
import { ListEnd } from '../../design/list-end.tsx';
import { Empty } from '../../design/states.tsx';
import { countedExactly } from '../../format/number-format.ts';
import { useProject } from '../../frame/project-context.ts';
import { runItemColumns } from './run-item-columns.tsx';
import { RunItemPanel } from './run-item-panel.tsx';
import type { RunSearch } from './search.ts';
import { useItemsOf } from './use-items-of.ts';

interface RunItemsProps {
  datasetId: string;
  run: RunDetail;
  /** The loaded items. */
  items: readonly DatasetRunItem[];
  query: { hasNextPage: boolean; isFetchingNextPage: boolean; isFetchNextPageError: boolean; fetchNextPage(): unknown };
}

/** The items of a run, with the selected item in a panel. */
export function RunItems({ datasetId, run, items, query }: RunItemsProps): ReactNode {
  const { at } = useProject();
  const { item: openId, order } = useSearch({ from: '/o/$org/p/$project/datasets/$datasetId/runs/$runId' });
  const navigate = useNavigate();
  const sources = useItemsOf(datasetId, run.aggregates.itemCount);
  const more = useMore(query);
  const change = (next: RunSearch) =>
    void navigate({ to: '.', search: (before: RunSearch) => ({ ...before, ...next }), replace: true });
  const opened = items.find(({ datasetItemId }) => datasetItemId === openId);
  useEffect(() => {
    if (openId !== undefined && opened === undefined) more();
  }, [openId, opened, more]);
  const evaluators = useMemo(() => run.aggregates.byEvaluator.map(({ evaluator }) => evaluator), [run]);
  const columns = useMemo(() => runItemColumns(at, sources, evaluators, openId), [at, sources, evaluators, openId]);
  if (items.length === 0) {
    return <Empty title="No items in this run">Items appear as your application sends them.</Empty>;
  }
  return (
    <div className="flex min-h-0 flex-1 border-t border-line">
      <DataTable<DatasetRunItem>
        label="Run items"
        columns={columns}
        hidden={openId === undefined ? [] : ['output', 'cost', 'trace', ...evaluators.slice(1).map((one) => `score ${one}`)]}
        rows={items}
        rowKey={({ id }) => id}
        // Sorting requires all pages.
        {...(query.hasNextPage
          ? {}
          : {
              sort: order === undefined ? null : readSort(order),
              onSort: (sort) => change({ order: sortText(sort) }),
            })}
        onOpen={({ datasetItemId }) => change({ item: datasetItemId })}
        onEnd={more}
        className="min-h-0 min-w-0 flex-1 bg-surface"
        footer={<ListEnd pages={query}>{countedExactly(items.length, 'item')}</ListEnd>}
      />
      {opened && (
        <RunItemPanel
          key={opened.id}
          item={opened}
          source={sources.get(opened.datasetItemId) ?? null}
          onClose={() => change({ item: undefined })}
        />
      )}
    </div>
  );
}
