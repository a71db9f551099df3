import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import type { ReactNode } from 'react';
import { failureOf } from '../../api/failure-of.ts';
import type { PromptVersion } from '../../api/service.ts';
import { Badge } from '../../design/badge.tsx';
import { buttonClass } from '../../design/button.tsx';
import { deferred } from '../../design/deferred.tsx';
import { Empty, Failure, PageSkeleton } from '../../design/states.tsx';
import { Tabs } from '../../design/tabs.tsx';
import { visibleText } from '../../format/visible-text.ts';
import { BackLink } from '../../frame/back-link.tsx';
import { Page } from '../../frame/page.tsx';
import { useProject } from '../../frame/project-context.ts';
import { RangePicker } from '../../frame/range-picker.tsx';
import { pages } from '../../paths.ts';
import { DeletePrompt } from './delete-prompt.tsx';
import { FolderField } from './folder-field.tsx';
import { MetricsView } from './metrics-view.tsx';
import type { PromptSearch, PromptView } from './search.ts';
import { TagsField } from './tags-field.tsx';
import { useVersion, useVersions } from '../../api/prompt-versions.ts';
import type { Versions } from '../../api/prompt-versions.ts';
import { VersionList } from './version-list.tsx';
import { VersionView } from './version-view.tsx';

// Loaded on demand: it includes the diff library.
const CompareView = deferred(() => import('./compare-view.tsx'), <Loading />);

/** One prompt: the list of versions and the selected version. */
export default function PromptPage(): ReactNode {
  const { at, projectId, can } = useProject();
  const { name } = useParams({ from: '/o/$org/p/$project/prompts/$name' });
  const search = useSearch({ from: '/o/$org/p/$project/prompts/$name' });
  const versions = useVersions(projectId, name);
  const { newest } = versions;
  return (
    <Page
      title={name}
      fill
      trail={
        <Link {...pages.prompts(at)} className="shrink-0 text-ink-faint hover:text-ink hover:underline">
          Prompts /
        </Link>
      }
      badges={newest && <Badge>{newest.type}</Badge>}
      actions={
        newest && (
          <>
            {search.view === 'metrics' && <RangePicker />}
            {can('prompts:manage') && (
              <Link {...pages.newVersion(at, name)} className={buttonClass('primary')}>
                <Plus aria-hidden />
                New version
              </Link>
            )}
            <DeletePrompt name={name} newest={newest.version} />
          </>
        )
      }
    >
      {failureOf({ error: versions.error, data: newest ?? undefined }) ? (
        <Failure
          error={versions.error}
          what="Prompt"
          back={<BackLink {...pages.prompts(at)}>Back to prompts</BackLink>}
          onRetry={versions.retry}
        />
      ) : newest === null ? (
        <Loading />
      ) : (
        <PromptBody key={name} newest={newest} versions={versions} search={search} />
      )}
    </Page>
  );
}

interface PromptBodyProps {
  newest: PromptVersion;
  versions: Versions;
  search: PromptSearch;
}

function PromptBody({ newest, versions, search }: PromptBodyProps): ReactNode {
  const { at, projectId } = useProject();
  const navigate = useNavigate();
  const { name, folder, tags } = newest;
  const { version, error } = useVersion(projectId, name, search, versions);
  const missing = { error, loading: version === undefined, search };
  const show = (view: PromptView) =>
    void navigate({
      ...pages.prompt(at, name),
      search: { ...search, view: view === 'version' ? undefined : view },
      replace: true,
    });
  return (
    <div className="flex min-h-0 flex-1 max-lg:flex-col">
      <VersionList versions={versions} selected={version?.version ?? null} search={search} />
      <div className="flex min-w-0 flex-1 flex-col">
        <div className="flex flex-wrap items-start gap-x-4 gap-y-1 border-b border-line px-4 py-1.5">
          <FolderField name={name} folder={folder} />
          <TagsField name={name} tags={tags} />
        </div>
        <Tabs<PromptView>
          label="Prompt views"
          className="flex-1"
          value={search.view ?? 'version'}
          onValue={show}
          tabs={[
            {
              value: 'version',
              label: 'Version',
              content: (
                <Scroller>
                  {version ? (
                    <VersionView key={version.version} version={version} versions={versions} />
                  ) : (
                    <NoVersion {...missing} />
                  )}
                </Scroller>
              ),
            },
            {
              value: 'compare',
              label: 'Compare',
              content: (
                <Scroller>
                  {version ? <CompareView version={version} versions={versions} search={search} /> : <NoVersion {...missing} />}
                </Scroller>
              ),
            },
            {
              value: 'metrics',
              label: 'Metrics',
              content: (
                <Scroller>
                  <MetricsView name={name} versions={versions} search={search} />
                </Scroller>
              ),
            },
          ]}
        />
      </div>
    </div>
  );
}

function Scroller({ children }: { children: ReactNode }): ReactNode {
  return (
    <div className="scroll-thin h-full overflow-auto" tabIndex={0} role="group" aria-label="Content">
      {children}
    </div>
  );
}

function Loading(): ReactNode {
  return (
    <div className="p-4">
      <PageSkeleton />
    </div>
  );
}

/** Shown while the version is loading, or if it does not exist. */
function NoVersion({ error, loading, search }: { error: unknown; loading: boolean; search: PromptSearch }): ReactNode {
  if (error) return <Failure error={error} />;
  if (loading) return <Loading />;
  const title =
    search.version === undefined
      ? `No version has the label ${visibleText(search.label ?? '')}`
      : `Version ${search.version} not found`;
  return <Empty title={title}>Choose a version from the list.</Empty>;
}
