import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useMemo } from 'react';
import type { ReactNode } from 'react';
import { failureOf } from '../../api/failure-of.ts';
import { batchItemsQuery } from '../../api/simulations.ts';
import type { BatchItem, BatchRun, Distributions } from '../../api/service.ts';
import { useMore } from '../../api/use-pages.ts';
import { Card } from '../../design/card.tsx';
import { DataTable } from '../../design/data-table.tsx';
import { ListEnd } from '../../design/list-end.tsx';
import { Empty, Failure, ListSkeleton } from '../../design/states.tsx';
import { countedExactly, formatExact } from '../../format/number-format.ts';
import { useProject } from '../../frame/project-context.ts';
import { BatchItemPanel } from './batch-item-panel.tsx';
import { itemColumns, itemKey } from './item-columns.tsx';
import { ItemFilter } from './item-filter.tsx';
import type { BatchRunSearch } from './search.ts';

const from = '/o/$org/p/$project/simulations/runs/$batchRunId';

/** Columns that have no room beside the panel, and beside that of two runs. */
const hiddenBesidePanel = ['reference', 'scores', 'latency', 'cost', 'trace'];
const hiddenBesideComparison = [...hiddenBesidePanel, 'before', 'output'];

/** The items of a batch run with filters by status and by change from a baseline, and the opened one in a panel. */
export function BatchItems({ run, changes }: { run: BatchRun; changes: Distributions['changes'] }): ReactNode {
  const { at, projectId } = useProject();
  const search = useSearch({ from });
  const { item: openKey, ...filter } = search;
  const navigate = useNavigate({ from });
  const query = useInfiniteQuery(batchItemsQuery(projectId, run.id, filter));
  const more = useMore(query);
  const items = useMemo(() => query.data?.pages.flatMap((page) => page.items) ?? [], [query.data]);
  const columns = useMemo(() => itemColumns(at, run, search), [at, run, search]);
  const change = (next: BatchRunSearch) =>
    void navigate({ to: '.', search: (before: BatchRunSearch) => ({ ...before, ...next }), replace: true });
  const place = items.findIndex((item) => itemKey(item) === openKey);
  const opened = items[place];
  // The next one after the last that is loaded.
  useEffect(() => {
    if (place >= 0 && place === items.length - 1) more();
  }, [place, items.length, more]);
  return (
    <Card title="Items">
      <ItemFilter run={run} search={search} changes={changes} onChange={change} />
      {failureOf(query) ? (
        <Failure error={query.error} onRetry={() => void query.refetch()} />
      ) : query.isPending ? (
        <ListSkeleton />
      ) : items.length === 0 ? (
        <Empty title="No items">No item of this run matches the filter.</Empty>
      ) : (
        <div className={opened ? 'flex h-[40rem] max-h-[85vh] min-h-80' : 'flex h-[28rem]'}>
          <DataTable<BatchItem>
            label="Items"
            columns={columns}
            hidden={!opened ? [] : search.baseline === undefined ? hiddenBesidePanel : hiddenBesideComparison}
            rows={items}
            rowKey={itemKey}
            sortedByService
            withoutKeys={opened !== undefined}
            onOpen={(item) => change({ item: itemKey(item) })}
            onEnd={more}
            className="min-h-0 min-w-0 flex-1"
            footer={
              <ListEnd pages={query} incomplete={`${formatExact(items.length)} items so far`}>
                {countedExactly(items.length, 'item')}
              </ListEnd>
            }
          />
          {opened && (
            <BatchItemPanel
              key={itemKey(opened)}
              run={run}
              item={opened}
              previous={items[place - 1]}
              next={items[place + 1]}
              onOpen={(item) => change({ item: item === null ? undefined : itemKey(item) })}
            />
          )}
        </div>
      )}
    </Card>
  );
}
