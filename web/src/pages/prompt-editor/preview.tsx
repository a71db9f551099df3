import { useQueries } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import type { ReactNode } from 'react';
import { promptVersionQuery } from '../../api/prompts.ts';
import { PromptView } from '../../content/prompt-view.tsx';
import { referenceKey } from '../../content/prompt-parts.ts';
import { Card } from '../../design/card.tsx';
import { Visible } from '../../design/visible.tsx';
import { useProject } from '../../frame/project-context.ts';
import { promptOf } from './draft.ts';
import type { Draft } from './draft.ts';
import { draftReferences, resolveDraft } from './resolve-draft.ts';
import type { Target } from './resolve-draft.ts';

const debounceMs = 500;
const maxReferences = 30;

/** The value, debounced by 500 ms. */
function useDebounced<T>(value: T): T {
  const [debounced, setDebounced] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(value), debounceMs);
    return () => clearTimeout(timer);
  }, [value]);
  return debounced;
}

/** The resolved draft, and errors of its references. */
export function Preview({ draft }: { draft: Draft }): ReactNode {
  const { projectId } = useProject();
  const { type } = draft;
  const prompt = useDebounced(promptOf(draft));
  const references = useMemo(
    () =>
      draftReferences({ type, prompt })
        .filter(({ name }) => name !== '')
        .slice(0, maxReferences),
    [type, prompt],
  );
  const found = useQueries({
    queries: references.map(({ name, version, label }) =>
      promptVersionQuery(projectId, name, { version: version ?? undefined, label: label ?? undefined }),
    ),
  });
  const targets = new Map<string, Target>();
  for (const [index, reference] of references.entries()) {
    const query = found[index];
    if (query?.isError) targets.set(referenceKey(reference), { problem: query.error.message });
    else if (query?.data === null) targets.set(referenceKey(reference), { problem: 'Prompt not found.' });
    else if (query?.data?.type === 'chat') targets.set(referenceKey(reference), { problem: 'Chat prompts can’t be included.' });
    else if (typeof query?.data?.resolvedPrompt === 'string')
      targets.set(referenceKey(reference), { text: query.data.resolvedPrompt });
  }
  const problems = references.flatMap((reference) => {
    const target = targets.get(referenceKey(reference));
    return target && 'problem' in target ? [{ text: reference.text, problem: target.problem }] : [];
  });
  return (
    <Card title="Resolved preview">
      {problems.length > 0 && (
        <ul className="flex flex-col gap-1 border-b border-line bg-bad-soft px-3 py-2 text-xs text-bad" role="alert">
          {problems.map(({ text, problem }) => (
            <li key={text}>
              <Visible text={text} className="font-mono" /> {problem}
            </li>
          ))}
        </ul>
      )}
      <div className="px-3 py-2.5">
        <PromptView type={type} prompt={resolveDraft({ type, prompt }, targets)} />
      </div>
      <p className="border-t border-line px-3 py-1.5 text-xs text-ink-faint">
        References are resolved with their current versions. Variables are filled in by the application.
      </p>
    </Card>
  );
}
