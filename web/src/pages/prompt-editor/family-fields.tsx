import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import type { ReactNode } from 'react';
import type { FieldErrors } from '../../api/field-errors.ts';
import { promptFoldersQuery } from '../../api/prompts.ts';
import { Input } from '../../design/field.tsx';
import { useProject } from '../../frame/project-context.ts';
import type { Draft } from './draft.ts';

interface FamilyFieldsProps {
  draft: Draft;
  errors: FieldErrors;
  onChange(fields: Partial<Draft>): void;
}

/** The name and the folder of a new prompt. */
export function FamilyFields({ draft, errors, onChange }: FamilyFieldsProps): ReactNode {
  const { projectId } = useProject();
  const folders = useQuery(promptFoldersQuery(projectId));
  const list = useId();
  return (
    <div className="grid grid-cols-2 gap-3">
      <Input
        label="Name"
        required
        autoFocus
        maxLength={200}
        placeholder="e.g. support/triage"
        value={draft.name}
        onChange={(event) => onChange({ name: event.target.value })}
        error={errors.at('/name')}
        hint="Applications request the prompt by this name. Can't be changed later."
      />
      <Input
        label="Folder"
        maxLength={255}
        placeholder="None"
        value={draft.folder}
        onChange={(event) => onChange({ folder: event.target.value })}
        list={list}
        error={errors.at('/folder')}
        hint="Optional."
      />
      <datalist id={list}>
        {(folders.data?.folders ?? []).map((folder) => (
          <option key={folder} value={folder} />
        ))}
      </datalist>
    </div>
  );
}
