import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useEffect, useMemo } from 'react';
import type { ReactNode } from 'react';
import { datasetItemsQuery } from '../../api/datasets.ts';
import { failureOf } from '../../api/failure-of.ts';
import type { Dataset } from '../../api/service.ts';
import { useMore } from '../../api/use-pages.ts';
import { Snippet } from '../../design/copy.tsx';
import { DataTable } from '../../design/data-table.tsx';
import { ListEnd } from '../../design/list-end.tsx';
import { Empty, Failure, ListSkeleton } from '../../design/states.tsx';
import { countedExactly } from '../../format/number-format.ts';
import { useProject } from '../../frame/project-context.ts';
import { itemColumns } from './item-columns.tsx';
import type { NumberedItem } from './item-columns.tsx';
import { ItemPanel } from './item-panel.tsx';
import type { DatasetSearch } from './search.ts';
import { itemSnippet } from './snippets.ts';

/** The items of a dataset, with the selected item in a panel. */
export function ItemsTab({ dataset }: { dataset: Dataset }): ReactNode {
  const { at, projectId } = useProject();
  const { item: openId } = useSearch({ from: '/o/$org/p/$project/datasets/$datasetId' });
  const navigate = useNavigate();
  const query = useInfiniteQuery(datasetItemsQuery(projectId, dataset.id));
  const items = useMemo<NumberedItem[]>(
    () => query.data?.pages.flatMap((page) => page.items).map((item, index) => ({ item, number: index + 1 })) ?? [],
    [query.data],
  );
  const columns = useMemo(() => itemColumns(at, openId), [at, openId]);
  const open = useCallback(
    (id: string | undefined) =>
      void navigate({ to: '.', search: (before: DatasetSearch) => ({ ...before, item: id }), replace: true }),
    [navigate],
  );
  const more = useMore(query);
  const opened = items.find(({ item }) => item.id === openId);
  // A link may refer to an item on a later page.
  useEffect(() => {
    if (openId !== undefined && opened === undefined) more();
  }, [openId, opened, more]);
  if (failureOf(query)) return <Failure error={query.error} onRetry={() => void query.refetch()} />;
  if (query.isPending) return <ListSkeleton />;
  if (items.length === 0) return <NoItems datasetId={dataset.id} />;
  return (
    <div className="flex h-full min-h-0">
      <DataTable<NumberedItem>
        label="Items"
        columns={columns}
        hidden={openId === undefined ? [] : ['metadata', 'created']}
        rows={items}
        rowKey={({ item }) => item.id}
        onOpen={({ item }) => open(item.id)}
        onEnd={more}
        className="min-h-0 min-w-0 flex-1"
        footer={<ListEnd pages={query}>{countedExactly(items.length, 'item')}</ListEnd>}
      />
      {openId !== undefined && (
        <ItemPanel
          key={openId}
          datasetId={dataset.id}
          numbered={opened ?? null}
          searching={query.hasNextPage}
          onClose={() => open(undefined)}
        />
      )}
    </div>
  );
}

function NoItems({ datasetId }: { datasetId: string }): ReactNode {
  const { can } = useProject();
  return (
    <div className="scroll-thin h-full overflow-auto pb-6">
      <Empty title="No items">
        {can('datasets:manage')
          ? 'Add an item, import a JSONL or CSV file, use “Add to dataset” on a trace, or use the API:'
          : 'Adding items requires the permission datasets:manage. With the API:'}
      </Empty>
      <div className="mx-auto max-w-3xl px-4">
        <Snippet label="curl command to add an item" text={itemSnippet(location.origin, datasetId)} />
      </div>
    </div>
  );
}
