import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { FormEvent, ReactNode } from 'react';
import { useCreateOrganization } from '../api/members.ts';
import { Button } from '../design/button.tsx';
import { Dialog } from '../design/dialog.tsx';
import { Input } from '../design/field.tsx';
import { pages } from '../paths.ts';

/** Creates an organization with a first project, and opens it. For those whom `mayCreateOrganizations` of the session names. */
export default function NewOrganizationDialog({ onClose }: { onClose(): void }): ReactNode {
  const create = useCreateOrganization();
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate(name.trim(), {
      onSuccess: ({ slug, project }) => {
        onClose();
        void navigate(pages.start({ org: slug, project: project.slug }));
      },
    });
  };
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="New organization"
      description="You are its owner. It has members, projects and a plan of its own, and begins with one project."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit" form="new-organization" busy={create.isPending} disabled={name.trim() === ''}>
            Create organization
          </Button>
        </>
      }
    >
      <form id="new-organization" onSubmit={submit}>
        <Input
          label="Name"
          required
          maxLength={200}
          value={name}
          onChange={(event) => setName(event.target.value)}
          error={create.error?.message ?? null}
        />
      </form>
    </Dialog>
  );
}
