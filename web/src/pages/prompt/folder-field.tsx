import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Folder, Pencil } from 'lucide-react';
import { useId, useState } from 'react';
import type { FormEvent, ReactNode } from 'react';
import { fieldErrors } from '../../api/field-errors.ts';
import { promptFoldersQuery, usePromptActions } from '../../api/prompts.ts';
import { Button, IconButton } from '../../design/button.tsx';
import { Input } from '../../design/field.tsx';
import { Visible } from '../../design/visible.tsx';
import { useProject } from '../../frame/project-context.ts';
import { pages } from '../../paths.ts';

/** The folder of a prompt, editable in place. */
export function FolderField({ name, folder }: { name: string; folder: string | null }): ReactNode {
  const { at, can } = useProject();
  const [editing, setEditing] = useState(false);
  if (editing) return <FolderForm name={name} folder={folder} onDone={() => setEditing(false)} />;
  return (
    <span className="flex h-7 min-w-0 items-center gap-1">
      <Folder className="size-4 shrink-0 text-ink-faint" aria-hidden />
      <Link
        {...pages.prompts(at)}
        search={{ folder: folder ?? '/' }}
        className="min-w-0 truncate hover:text-accent hover:underline"
      >
        {folder === null ? <span className="text-ink-faint">Unfiled</span> : <Visible text={folder} />}
      </Link>
      {can('prompts:manage') && (
        <IconButton label="Change folder" size="small" onClick={() => setEditing(true)}>
          <Pencil className="!size-3.5" aria-hidden />
        </IconButton>
      )}
    </span>
  );
}

function FolderForm({ name, folder, onDone }: { name: string; folder: string | null; onDone(): void }): ReactNode {
  const { projectId } = useProject();
  const folders = useQuery(promptFoldersQuery(projectId));
  const { setFolder } = usePromptActions(projectId, name);
  const [text, setText] = useState(folder ?? '');
  const list = useId();
  const errors = fieldErrors(setFolder.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setFolder.mutate(text.trim() === '' ? null : text.trim(), { onSuccess: onDone });
  };
  return (
    <form onSubmit={submit} className="flex items-start gap-1">
      <Input
        label="Folder"
        labelHidden
        autoFocus
        className="w-64"
        placeholder="e.g. support/emails"
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => event.key === 'Escape' && onDone()}
        list={list}
        error={errors.at('/folder') ?? errors.rest([])}
      />
      <datalist id={list}>
        {(folders.data?.folders ?? []).map((known) => (
          <option key={known} value={known} />
        ))}
      </datalist>
      <Button type="submit" look="primary" busy={setFolder.isPending}>
        Save
      </Button>
      <Button look="quiet" onClick={onDone}>
        Cancel
      </Button>
    </form>
  );
}
