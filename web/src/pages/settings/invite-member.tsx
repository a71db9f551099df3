import { UserPlus } from 'lucide-react';
import { useState } from 'react';
import type { FormEvent, ReactNode } from 'react';
import { fieldErrors } from '../../api/field-errors.ts';
import { useInvitationActions } from '../../api/invitations.ts';
import type { Role } from '../../api/parts.ts';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { ErrorText } from '../../design/error-text.tsx';
import { Input, Select } from '../../design/field.tsx';
import { useErrorFocus } from '../../design/use-error-focus.ts';
import { useProject } from '../../frame/project-context.ts';
import { grantableRoles, roleOptions, roleHints } from './roles.ts';

/** Invites a person by email. @param onInvited called with the link to hand over; null: it is mailed */
export function InviteMember({ onInvited }: { onInvited(email: string, url: string | null): void }): ReactNode {
  const { organization } = useProject();
  const { invite } = useInvitationActions(organization.id);
  const [open, setOpen] = useState(false);
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('member');
  const errors = fieldErrors(invite.error, '/email');
  const form = useErrorFocus<HTMLFormElement>(invite.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    invite.mutate(
      { email, role },
      {
        onSuccess: ({ url }) => {
          setOpen(false);
          setEmail('');
          onInvited(email, url);
        },
      },
    );
  };
  const openNew = () => {
    invite.reset();
    setOpen(true);
  };
  return (
    <>
      <Button onClick={openNew} size="small">
        <UserPlus aria-hidden />
        Invite member
      </Button>
      <Dialog
        open={open}
        onOpenChange={setOpen}
        title="Invite member"
        description="The person accepts with a link that is valid for 7 days, and chooses a password of their own."
      >
        <form ref={form} onSubmit={submit} className="flex flex-col gap-3">
          <Input
            label="Email"
            type="email"
            required
            value={email}
            onChange={(event) => setEmail(event.target.value)}
            error={errors.at('/email')}
          />
          <Select<Role>
            label="Role"
            value={role}
            options={roleOptions(grantableRoles(organization.role))}
            onValue={setRole}
            hint={roleHints[role]}
            error={errors.at('/role')}
          />
          <ErrorText text={errors.rest(['/email', '/role'])} />
          <Button look="primary" type="submit" busy={invite.isPending}>
            Invite
          </Button>
        </form>
      </Dialog>
    </>
  );
}
