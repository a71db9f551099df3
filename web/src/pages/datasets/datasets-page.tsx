import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { ReactNode } from 'react';
import { failureOf } from '../../api/failure-of.ts';
import { datasetsQuery } from '../../api/datasets.ts';
import type { Dataset } from '../../api/service.ts';
import { useMore } from '../../api/use-pages.ts';
import { Button } from '../../design/button.tsx';
import { Snippet } from '../../design/copy.tsx';
import { DataTable } from '../../design/data-table.tsx';
import { ListEnd } from '../../design/list-end.tsx';
import { Empty, Failure, ListSkeleton } from '../../design/states.tsx';
import { countedExactly } from '../../format/number-format.ts';
import { Page } from '../../frame/page.tsx';
import { useProject } from '../../frame/project-context.ts';
import { pages } from '../../paths.ts';
import { datasetColumns } from './dataset-columns.tsx';
import { DatasetDialog } from './dataset-dialog.tsx';
import { datasetSnippet } from './snippets.ts';

/** The list of datasets. */
export default function DatasetsPage(): ReactNode {
  const { at, projectId, can } = useProject();
  const navigate = useNavigate();
  const [creating, setCreating] = useState(false);
  const query = useInfiniteQuery(datasetsQuery(projectId));
  const canWrite = can('datasets:manage');
  const columns = useMemo(() => datasetColumns(at, canWrite), [at, canWrite]);
  const datasets = useMemo(() => query.data?.pages.flatMap((page) => page.datasets) ?? [], [query.data]);
  const more = useMore(query);
  const create = canWrite && (
    <Button look="primary" onClick={() => setCreating(true)}>
      <Plus aria-hidden />
      New dataset
    </Button>
  );
  return (
    <Page title="Datasets" fill actions={datasets.length > 0 && create}>
      {failureOf(query) ? (
        <Failure error={query.error} onRetry={() => void query.refetch()} />
      ) : query.isPending ? (
        <ListSkeleton />
      ) : datasets.length === 0 ? (
        <NoDatasets action={create} />
      ) : (
        <DataTable<Dataset>
          label="Datasets"
          columns={columns}
          rows={datasets}
          rowKey={({ id }) => id}
          sortedByService
          onOpen={({ id }) => void navigate(pages.dataset(at, id))}
          onEnd={more}
          className="min-h-0 flex-1 bg-surface"
          footer={<ListEnd pages={query}>{countedExactly(datasets.length, 'dataset')}</ListEnd>}
        />
      )}
      {creating && (
        <DatasetDialog onClose={() => setCreating(false)} onCreated={({ id }) => void navigate(pages.dataset(at, id))} />
      )}
    </Page>
  );
}

function NoDatasets({ action }: { action: ReactNode }): ReactNode {
  return (
    <div className="scroll-thin min-h-0 flex-1 overflow-auto pb-6">
      <Empty title="No datasets" action={action}>
        A dataset is a list of inputs and expected outputs. Run your application on it after each change and compare the runs. Add
        items from a file, from traces (“Add to dataset”), or with the API:
      </Empty>
      <div className="mx-auto max-w-3xl px-4">
        <Snippet label="curl command to create a dataset" text={datasetSnippet(location.origin)} />
      </div>
    </div>
  );
}
