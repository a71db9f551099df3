import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useCallback, useMemo } from 'react';
import type { ReactNode } from 'react';
import { failureOf } from '../../api/failure-of.ts';
import { promptFoldersQuery, promptsQuery } from '../../api/prompts.ts';
import type { ListedPrompt } from '../../api/service.ts';
import { useMore } from '../../api/use-pages.ts';
import { Chip } from '../../design/badge.tsx';
import { buttonClass } from '../../design/button.tsx';
import { classNames } from '../../design/class-names.ts';
import { DataTable } from '../../design/data-table.tsx';
import { ListEnd } from '../../design/list-end.tsx';
import { SearchBox } from '../../design/search-box.tsx';
import { Failure, ListSkeleton } from '../../design/states.tsx';
import { Visible } from '../../design/visible.tsx';
import { countedExactly } from '../../format/number-format.ts';
import { Page } from '../../frame/page.tsx';
import { useProject } from '../../frame/project-context.ts';
import { pages } from '../../paths.ts';
import { linkRange } from '../../range.ts';
import { FolderNav } from './folder-nav.tsx';
import { NoPrompts } from './no-prompts.tsx';
import { promptColumns } from './prompt-columns.tsx';
import type { PromptsSearch } from './search.ts';
import { TagFilter } from './tag-filter.tsx';

/** The list of prompts with the folder tree. */
export default function PromptsPage(): ReactNode {
  const { at, projectId, can } = useProject();
  const search = useSearch({ from: '/o/$org/p/$project/prompts' });
  const folders = useQuery(promptFoldersQuery(projectId));
  const navigate = useNavigate();
  const change = useCallback(
    (next: Partial<PromptsSearch>) =>
      void navigate({
        ...pages.prompts(at),
        search: (before) => ({ ...before, ...next }) as PromptsSearch,
        // A typed letter is not a history entry.
        replace: Object.keys(next).every((name) => name === 'q'),
      }),
    [navigate, at],
  );
  return (
    <Page
      title="Prompts"
      fill
      actions={
        can('prompts:manage') && (
          <Link
            {...pages.newPrompt(at)}
            search={search.folder === undefined || search.folder === '/' ? {} : { folder: search.folder }}
            className={buttonClass('primary')}
          >
            <Plus aria-hidden />
            New prompt
          </Link>
        )
      }
    >
      <div className="flex min-h-0 flex-1 max-lg:flex-col">
        <FolderNav folders={folders.data?.folders ?? []} isMissing={folders.isLoadingError} search={search} />
        <PromptList search={search} onChange={change} />
      </div>
    </Page>
  );
}

interface PromptListProps {
  search: PromptsSearch;
  onChange(next: Partial<PromptsSearch>): void;
}

function PromptList({ search, onChange }: PromptListProps): ReactNode {
  const { at, projectId } = useProject();
  const navigate = useNavigate();
  const { folder, tag, q } = search;
  const filters = useMemo(() => ({ folder, tag, q }), [folder, tag, q]);
  const query = useInfiniteQuery({ ...promptsQuery(projectId, filters), placeholderData: keepPreviousData });
  const prompts = useMemo(() => query.data?.pages.flatMap((page) => page.prompts) ?? [], [query.data]);
  const tags = useMemo(() => [...new Set(prompts.flatMap((prompt) => prompt.tags))].toSorted(), [prompts]);
  const range = useMemo(() => linkRange(search), [search]);
  const columns = useMemo(() => promptColumns(at, range, (chosen) => onChange({ tag: chosen })), [at, range, onChange]);
  const more = useMore(query);
  return (
    <div className="flex min-w-0 flex-1 flex-col">
      <div className="flex flex-wrap items-center gap-2 border-b border-line px-4 py-2">
        <SearchBox label="Search prompts" value={q ?? ''} onSearch={(text) => onChange({ q: text === '' ? undefined : text })} />
        {tag === undefined ? (
          <TagFilter suggestions={tags} onTag={(chosen) => onChange({ tag: chosen })} />
        ) : (
          <Chip label="Tag" value={<Visible text={tag} />} onRemove={() => onChange({ tag: undefined })} />
        )}
      </div>
      {failureOf(query) ? (
        <Failure error={query.error} onRetry={() => void query.refetch()} />
      ) : query.isPending ? (
        <ListSkeleton />
      ) : prompts.length === 0 ? (
        <NoPrompts search={search} onClear={() => onChange({ q: undefined, tag: undefined, folder: undefined })} />
      ) : (
        <DataTable<ListedPrompt>
          label="Prompts"
          columns={columns}
          rows={prompts}
          rowKey={({ name }) => name}
          sortedByService
          onOpen={({ name }) => void navigate({ ...pages.prompt(at, name), search: range })}
          onEnd={more}
          className={classNames('min-h-0 flex-1 bg-surface', query.isPlaceholderData && 'opacity-60')}
          footer={<ListEnd pages={query}>{countedExactly(prompts.length, 'prompt')}</ListEnd>}
        />
      )}
    </div>
  );
}
