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

/** Nothing is listed: what would bring something. */
export function NoPrompts({ search, onClear }: { search: PromptsSearch; onClear(): void }): ReactNode {
  const { at, can } = useProject();
  if (search.q !== undefined || search.tag !== undefined || search.folder !== undefined) {
    return (
      <Empty title="No prompt matches" action={<Button onClick={onClear}>Show all prompts</Button>}>
        Search looks in names alone; a folder shows what is in those below it.
      </Empty>
    );
  }
  if (!can('prompts:manage')) {
    return (
      <Empty title="There are no prompts yet">
        Somebody with the permission <code className="font-mono">prompts:manage</code> can make the first.
      </Empty>
    );
  }
  return (
    <div>
      <Empty
        title="There are no prompts yet"
        action={
          <Link {...pages.newPrompt(at)} className={buttonClass('primary')}>
            New prompt
          </Link>
        }
      >
        A prompt that is kept here has versions, and labels say which one applications get: no deployment to change a sentence.
      </Empty>
      <div className="mx-auto max-w-2xl px-6 pb-8">
        <p className="mb-1.5 text-ink-soft">Or send one:</p>
        <Snippet label="curl that makes a prompt" text={createSnippet(location.origin)} />
      </div>
    </div>
  );
}
