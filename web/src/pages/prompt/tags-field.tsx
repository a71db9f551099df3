import { Link } from '@tanstack/react-router';
import { Plus, X } from 'lucide-react';
import { useState } from 'react';
import type { FormEvent, ReactNode } from 'react';
import { fieldErrors } from '../../api/field-errors.ts';
import { usePromptActions } from '../../api/prompts.ts';
import { Button } from '../../design/button.tsx';
import { Input } from '../../design/field.tsx';
import { Visible } from '../../design/visible.tsx';
import { visibleText } from '../../format/visible-text.ts';
import { useProject } from '../../frame/project-context.ts';
import { pages } from '../../paths.ts';

/** The tags of a prompt, linked to the filtered list. Editable with permission. */
export function TagsField({ name, tags }: { name: string; tags: readonly string[] }): ReactNode {
  const { at, projectId, can } = useProject();
  const { setTags } = usePromptActions(projectId, name);
  const [adding, setAdding] = useState(false);
  const [text, setText] = useState('');
  const mayEdit = can('prompts:manage');
  const errors = fieldErrors(setTags.error);
  const wrong = errors.at('/tags') ?? errors.rest([]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() === '') return setAdding(false);
    setTags.mutate([...tags, text.trim()], {
      onSuccess: () => {
        setText('');
        setAdding(false);
      },
    });
  };
  return (
    <div className="flex min-w-0 flex-wrap items-start gap-1" role="group" aria-label="Tags">
      {tags.map((tag) => (
        <span key={tag} className="inline-flex h-7 max-w-60 items-center rounded-md border border-line bg-surface pl-2 text-xs">
          <Link {...pages.prompts(at)} search={{ tag }} className="truncate hover:text-accent hover:underline">
            <Visible text={tag} />
          </Link>
          {mayEdit ? (
            <button
              type="button"
              aria-label={`Remove tag ${visibleText(tag)}`}
              disabled={setTags.isPending}
              onClick={() => setTags.mutate(tags.filter((one) => one !== tag))}
              className="flex h-full w-6 shrink-0 items-center justify-center rounded-r-md text-ink-faint hover:bg-hover hover:text-ink"
            >
              <X className="size-3.5" aria-hidden />
            </button>
          ) : (
            <span className="w-2" />
          )}
        </span>
      ))}
      {tags.length === 0 && !mayEdit && <span className="leading-7 text-ink-faint">No tags</span>}
      {mayEdit &&
        (adding ? (
          <form onSubmit={submit} className="flex gap-1">
            <Input
              label="New tag"
              labelHidden
              autoFocus
              className="w-40"
              maxLength={100}
              placeholder="New tag"
              value={text}
              onChange={(event) => setText(event.target.value)}
              onKeyDown={(event) => event.key === 'Escape' && setAdding(false)}
            />
            <Button type="submit" look="primary" busy={setTags.isPending}>
              Add
            </Button>
          </form>
        ) : (
          <Button look="quiet" size="small" onClick={() => setAdding(true)}>
            <Plus aria-hidden />
            Add tag
          </Button>
        ))}
      {wrong !== null && (
        <p role="alert" className="text-xs leading-7 text-bad">
          {wrong}
        </p>
      )}
    </div>
  );
}
