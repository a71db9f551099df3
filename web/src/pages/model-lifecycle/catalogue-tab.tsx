import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { ReactNode } from 'react';
import { failureOf } from '../../api/failure-of.ts';
import { catalogueQuery } from '../../api/model-lifecycle.ts';
import type { ListedEntry } from '../../api/service.ts';
import { Button } from '../../design/button.tsx';
import type { Sort } from '../../design/column.ts';
import { DataTable } from '../../design/data-table.tsx';
import { SearchBox } from '../../design/search-box.tsx';
import { Empty, Failure, ListSkeleton } from '../../design/states.tsx';
import { countedExactly } from '../../format/number-format.ts';
import { formatUtcDate } from '../../format/time-format.ts';
import { useProject } from '../../frame/project-context.ts';
import { useNow } from '../../frame/use-now.ts';
import { pages } from '../../paths.ts';
import { catalogueColumns } from './catalogue-columns.tsx';
import { searchCatalogue } from './catalogue-rows.ts';
import { DateDialog } from './date-dialog.tsx';

/** The retirement dates that hold for the project, with its own ones. */
export default function CatalogueTab(): ReactNode {
  const { at, projectId, can } = useProject();
  const { q = '' } = useSearch({ from: '/o/$org/p/$project/model-lifecycle' });
  const navigate = useNavigate();
  const query = useQuery(catalogueQuery(projectId));
  const [sort, setSort] = useState<Sort>({ id: 'model', descending: false });
  const [adding, setAdding] = useState(false);
  const nowMs = useNow(catalogueQuery);
  const canManage = can('alerts:manage');
  const columns = useMemo(() => catalogueColumns(nowMs, canManage), [nowMs, canManage]);
  const rows = useMemo(() => searchCatalogue(query.data?.models ?? [], q), [query.data, q]);
  if (failureOf(query)) return <Failure error={query.error} onRetry={() => void query.refetch()} />;
  if (!query.data) return <ListSkeleton />;
  const { reviewedOn } = query.data;
  return (
    <div className="flex h-full min-h-0 flex-col">
      <div className="flex flex-wrap items-center gap-2 border-b border-line p-3">
        <SearchBox
          label="Search models, aliases and providers"
          value={q}
          onSearch={(text) =>
            void navigate({
              ...pages.modelLifecycle(at),
              search: { view: 'catalogue', ...(text.trim() === '' ? {} : { q: text }) },
              replace: true,
            })
          }
        />
        {canManage && (
          <Button onClick={() => setAdding(true)}>
            <Plus aria-hidden />
            Set date
          </Button>
        )}
      </div>
      {rows.length === 0 ? (
        <Empty title="No model matches the search">
          {canManage ? 'Set a date for a model that the catalogue does not have.' : 'Try another name.'}
        </Empty>
      ) : (
        <DataTable<ListedEntry>
          label="Catalogue"
          columns={columns}
          rows={rows}
          rowKey={({ model, provider, override }) => `${override ? 'own' : (provider ?? '')} ${model}`}
          sort={sort}
          onSort={setSort}
          className="min-h-0 flex-1 bg-surface"
          footer={
            <p className="px-3 py-2 text-xs text-ink-faint">
              {countedExactly(rows.length, 'model')} · reviewed {formatUtcDate(reviewedOn)} · dates are UTC
            </p>
          }
        />
      )}
      {adding && <DateDialog onClose={() => setAdding(false)} />}
    </div>
  );
}
