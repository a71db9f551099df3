import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { ReactNode } from 'react';
import { failureOf } from '../../api/failure-of.ts';
import { findingsQuery } from '../../api/model-lifecycle.ts';
import { modelsQuery } from '../../api/models.ts';
import type { ListedModel } from '../../api/parts.ts';
import type { Finding } from '../../api/service.ts';
import { classNames } from '../../design/class-names.ts';
import { readSort, sortText } from '../../design/column.ts';
import { DataTable } from '../../design/data-table.tsx';
import { Empty, Failure, ListSkeleton } from '../../design/states.tsx';
import { Page } from '../../frame/page.tsx';
import { useProject } from '../../frame/project-context.ts';
import { EnvironmentPicker } from '../../frame/environment-picker.tsx';
import { RangePicker } from '../../frame/range-picker.tsx';
import { SendDataLink } from '../../frame/send-data-link.tsx';
import { useNow } from '../../frame/use-now.ts';
import { pages } from '../../paths.ts';
import { linkFigures, figuresRequest } from '../../range.ts';
import { UnnamedNote } from '../../content/unnamed-note.tsx';
import { modelColumns } from './model-columns.tsx';
import type { ModelsSearch } from './search.ts';

const noFindings: readonly Finding[] = [];

/** The list of models called in the time range. */
export default function ModelsPage(): ReactNode {
  const { at, projectId } = useProject();
  const search = useSearch({ from: '/o/$org/p/$project/models' });
  const navigate = useNavigate();
  const nowMs = useNow(search);
  const query = useQuery({ ...modelsQuery(projectId, figuresRequest(search, nowMs)), placeholderData: keepPreviousData });
  const range = useMemo(() => linkFigures(search), [search]);
  const { data: lifecycle } = useQuery(findingsQuery(projectId));
  const findings = lifecycle?.findings ?? noFindings;
  const columns = useMemo(() => modelColumns(at, range, findings), [at, range, findings]);
  return (
    <Page
      title="Models"
      fill
      actions={
        <>
          <EnvironmentPicker />
          <RangePicker />
        </>
      }
    >
      {failureOf(query) ? (
        <Failure error={query.error} onRetry={() => void query.refetch()} />
      ) : !query.data ? (
        <ListSkeleton />
      ) : query.data.models.length === 0 ? (
        <>
          <UnnamedNote unnamed={query.data.unnamed} />
          <Empty
            title={query.data.unnamed.calls > 0 ? 'No call in this time range names a model' : 'No calls in this time range'}
            action={<SendDataLink />}
          >
            Choose a longer time range, or send spans of kind <code className="font-mono">llm</code> with a model.
          </Empty>
        </>
      ) : (
        <>
          <UnnamedNote unnamed={query.data.unnamed} />
          <DataTable<ListedModel>
            label="Models"
            columns={columns}
            rows={query.data.models}
            rowKey={({ model }) => model}
            sort={readSort(search.order ?? '-cost')}
            onSort={(sort) =>
              void navigate({ to: '.', search: (before: ModelsSearch) => ({ ...before, order: sortText(sort) }), replace: true })
            }
            onOpen={({ model }) => void navigate({ ...pages.model(at, model), search: range })}
            className={classNames('min-h-0 flex-1 bg-surface', query.isPlaceholderData && 'opacity-60')}
          />
        </>
      )}
    </Page>
  );
}
