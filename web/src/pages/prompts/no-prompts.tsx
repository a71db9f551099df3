import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Button, buttonClass } from '../../design/button.tsx';
import { Snippet } from '../../design/copy.tsx';
import { Empty } from '../../design/states.tsx';
import { useProject } from '../../frame/project-context.ts';
import { pages } from '../../paths.ts';
import type { PromptsSearch } from './search.ts';

function createSnippet(origin: string): string {
  return `curl -s ${origin}/v1/prompts -H "x-api-key: $SPANWISE_API_KEY" -H 'content-type: application/json' \\
  -d '{"name":"greeting","prompt":"Greet {{name}} in one sentence.","labels":["production"]}'`;
}

/** The empty state of the list of prompts. */
export function NoPrompts({ search, onClear }: { search: PromptsSearch; onClear(): void }): ReactNode {
  const { at, can } = useProject();
  if (search.q !== undefined || search.tag !== undefined || search.folder !== undefined) {
    return (
      <Empty title="No matching prompts" action={<Button onClick={onClear}>Clear search and filters</Button>}>
        Search matches prompt names. Folders include subfolders.
      </Empty>
    );
  }
  if (!can('prompts:manage')) {
    return (
      <Empty title="No prompts">
        Creating prompts requires the permission <code className="font-mono">prompts:manage</code>.
      </Empty>
    );
  }
  return (
    <div>
      <Empty
        title="No prompts"
        action={
          <Link {...pages.newPrompt(at)} className={buttonClass('primary')}>
            New prompt
          </Link>
        }
      >
        Version prompts and choose by label which version applications get. Edit prompts without redeploying.
      </Empty>
      <div className="mx-auto max-w-2xl px-6 pb-8">
        <p className="mb-1.5 text-ink-soft">Or create one with curl:</p>
        <Snippet label="curl command to create a prompt" text={createSnippet(location.origin)} />
      </div>
    </div>
  );
}
