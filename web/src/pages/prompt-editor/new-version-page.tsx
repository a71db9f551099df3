import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { ApiError } from '../../api/client.ts';
import { useVersion, useVersions } from '../../api/prompt-versions.ts';
import { useAddVersion } from '../../api/prompts.ts';
import type { PromptVersion } from '../../api/service.ts';
import { Empty, Failure, PageSkeleton } from '../../design/states.tsx';
import { useToast } from '../../design/toast.tsx';
import { visibleText } from '../../format/visible-text.ts';
import { BackLink } from '../../frame/back-link.tsx';
import { Page } from '../../frame/page.tsx';
import { useProject } from '../../frame/project-context.ts';
import { pages } from '../../paths.ts';
import { draftOf } from './draft.ts';
import { PromptForm } from './prompt-form.tsx';

/** Creates a new version of a prompt, based on an existing one. */
export default function NewVersionPage(): ReactNode {
  const { at, can } = useProject();
  const { name } = useParams({ from: '/o/$org/p/$project/prompts/$name/new-version' });
  return (
    <Page
      form
      title="New version"
      fill
      trail={
        <span className="flex min-w-0 gap-1 text-ink-faint">
          <Link {...pages.prompts(at)} className="shrink-0 hover:text-ink hover:underline">
            Prompts /
          </Link>
          <Link {...pages.prompt(at, name)} className="min-w-0 truncate hover:text-ink hover:underline">
            <bdi>{visibleText(name)}</bdi> /
          </Link>
        </span>
      }
    >
      <div className="scroll-thin min-h-0 flex-1 overflow-auto">
        {can('prompts:manage') ? (
          <NewVersion name={name} />
        ) : (
          <Failure error={new ApiError(403, 'forbidden', 'Your role lacks the permission prompts:manage')} />
        )}
      </div>
    </Page>
  );
}

function NewVersion({ name }: { name: string }): ReactNode {
  const { at, projectId } = useProject();
  const { base } = useSearch({ from: '/o/$org/p/$project/prompts/$name/new-version' });
  // From the list, which also contains versions with broken references: these can be fixed here.
  const versions = useVersions(projectId, name);
  const { version, error } = useVersion(projectId, name, { version: base }, versions);
  // A form with a draft stays when a later read fails.
  if (version) return <VersionForm key={JSON.stringify([name, base])} base={version} />;
  if (versions.error ?? error) {
    const back = <BackLink {...pages.prompts(at)}>Back to prompts</BackLink>;
    return <Failure error={versions.error ?? error} what="Prompt" back={back} onRetry={versions.retry} />;
  }
  if (version === null) {
    return (
      <Empty title={`Version ${base} not found`} action={<BackLink {...pages.prompt(at, name)}>Back to the prompt</BackLink>} />
    );
  }
  return (
    <div className="p-4">
      <PageSkeleton />
    </div>
  );
}

function VersionForm({ base }: { base: PromptVersion }): ReactNode {
  const { at, projectId } = useProject();
  const add = useAddVersion(projectId);
  const navigate = useNavigate();
  const say = useToast();
  const [initial] = useState(() => draftOf(base));
  return (
    <PromptForm
      initial={initial}
      isNew={false}
      action="Save version"
      busy={add.isPending}
      error={add.error}
      onSave={(body, done) =>
        add.mutate(body, {
          onSuccess: ({ version }) => {
            done();
            say(`Version ${version} saved`);
            void navigate({ ...pages.prompt(at, base.name), search: { version } });
          },
        })
      }
    />
  );
}
