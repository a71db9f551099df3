import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { FormEvent, ReactNode } from 'react';
import { useOrganizationActions } from '../api/members.ts';
import type { CurrentSession } from '../api/service.ts';
import { Button } from '../design/button.tsx';
import { Dialog } from '../design/dialog.tsx';
import { Input } from '../design/field.tsx';
import { visibleText } from '../format/visible-text.ts';
import { pages } from '../paths.ts';

interface NewProjectDialogProps {
  organization: CurrentSession['organizations'][number];
  onClose(): void;
}

/** Creates a project and opens its set-up page. Requires `keys:manage`. */
export default function NewProjectDialog({ organization, onClose }: NewProjectDialogProps): ReactNode {
  const { createProject } = useOrganizationActions(organization.id);
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    createProject.mutate(name.trim(), {
      onSuccess: ({ slug }) => {
        onClose();
        void navigate(pages.start({ org: organization.slug, project: slug }));
      },
    });
  };
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="New project"
      description={`In ${visibleText(organization.name)}`}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit" form="new-project" busy={createProject.isPending} disabled={name.trim() === ''}>
            Create project
          </Button>
        </>
      }
    >
      <form id="new-project" onSubmit={submit}>
        <Input
          label="Name"
          required
          maxLength={200}
          value={name}
          onChange={(event) => setName(event.target.value)}
          error={createProject.error?.message ?? null}
        />
      </form>
    </Dialog>
  );
}
