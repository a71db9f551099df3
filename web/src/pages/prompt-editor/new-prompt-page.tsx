import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { ApiError } from '../../api/client.ts';
import { useCreatePrompt } from '../../api/prompts.ts';
import { Failure } from '../../design/states.tsx';
import { useToast } from '../../design/toast.tsx';
import { Page } from '../../frame/page.tsx';
import { useProject } from '../../frame/project-context.ts';
import { pages } from '../../paths.ts';
import { emptyDraft } from './draft.ts';
import { PromptForm } from './prompt-form.tsx';
import type { NewPromptSearch } from './search.ts';

/** Creates a prompt with its first version. */
export default function NewPromptPage(): ReactNode {
  const { at, can } = useProject();
  const search = useSearch({ from: '/o/$org/p/$project/new-prompt' });
  return (
    <Page
      form
      title="New prompt"
      fill
      trail={
        <Link {...pages.prompts(at)} className="shrink-0 text-ink-faint hover:text-ink hover:underline">
          Prompts /
        </Link>
      }
    >
      <div className="scroll-thin min-h-0 flex-1 overflow-auto">
        {can('prompts:manage') ? (
          <NewPrompt key={JSON.stringify([search.name, search.folder])} search={search} />
        ) : (
          <Failure error={new ApiError(403, 'forbidden', 'Your role lacks the permission prompts:manage')} />
        )}
      </div>
    </Page>
  );
}

function NewPrompt({ search }: { search: NewPromptSearch }): ReactNode {
  const { at, projectId } = useProject();
  const create = useCreatePrompt(projectId);
  const navigate = useNavigate();
  const say = useToast();
  const [initial] = useState(() => emptyDraft(search.name ?? '', search.folder ?? ''));
  return (
    <PromptForm
      initial={initial}
      isNew
      action="Create prompt"
      busy={create.isPending}
      error={create.error}
      onSave={(body, done) =>
        create.mutate(body, {
          onSuccess: ({ name }) => {
            done();
            say('Prompt created');
            void navigate(pages.prompt(at, name));
          },
        })
      }
    />
  );
}
