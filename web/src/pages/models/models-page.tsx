import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import type { ReactNode } from 'react';
import { modelsQuery } from '../../api/models.ts';
import type { ListedModel } from '../../api/wire.ts';
import type { Sort } from '../../design/column.ts';
import { DataTable } from '../../design/data-table.tsx';
import { Empty, Failure, PageSkeleton } from '../../design/states.tsx';
import { Page } from '../../frame/page.tsx';
import { useProject } from '../../frame/project-context.ts';
import { RangePicker } from '../../frame/range-picker.tsx';
import { pages } from '../../paths.ts';
import { modelRange } from '../../range.ts';
import { modelColumns } from './model-columns.tsx';

/** The models called over the range. */
export default function ModelsPage(): ReactNode {
  const { at, projectId } = useProject();
  const search = useSearch({ from: '/o/$org/p/$project/models' });
  const navigate = useNavigate();
  const query = useQuery(modelsQuery(projectId, modelRange(search)));
  const [sort, setSort] = useState<Sort>({ id: 'cost', descending: true });
  const columns = useMemo(() => modelColumns(at, search), [at, search]);
  return (
    <Page title="Models" fill actions={<RangePicker />}>
      {query.error ? (
        <Failure error={query.error} onRetry={() => void query.refetch()} />
      ) : !query.data ? (
        <div className="p-4">
          <PageSkeleton />
        </div>
      ) : query.data.models.length === 0 ? (
        <Empty title="No model was called in this time range">
          Take a longer time range, or send a span of kind llm that names its model.
        </Empty>
      ) : (
        <DataTable<ListedModel>
          label="Models"
          columns={columns}
          rows={query.data.models}
          rowKey={({ model }) => model}
          sort={sort}
          onSort={setSort}
          onOpen={({ model }) => void navigate({ ...pages.model(at, model), search })}
          className="min-h-0 flex-1 bg-surface"
        />
      )}
    </Page>
  );
}
