import { UserPlus } from 'lucide-react';
import { useState } from 'react';
import type { FormEvent, ReactNode } from 'react';
import { fieldErrors } from '../../api/field-errors.ts';
import { useMemberActions } from '../../api/members.ts';
import type { Role } from '../../api/wire.ts';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { ErrorText } from '../../design/error-text.tsx';
import { Input, Select } from '../../design/field.tsx';
import { useToast } from '../../design/toast.tsx';
import { useErrorFocus } from '../../design/use-error-focus.ts';
import { useProject } from '../../frame/project-context.ts';
import { grantableRoles, roleOptions, roleHints } from './roles.ts';
import { SecretDialog } from './secret-dialog.tsx';

/** Adds a member by email. A new user gets a temporary password, shown once. */
export function AddMember(): ReactNode {
  const { organization } = useProject();
  const { add } = useMemberActions(organization.id);
  const [open, setOpen] = useState(false);
  const [email, setEmail] = useState('');
  const [name, setName] = useState('');
  const [role, setRole] = useState<Role>('member');
  const [password, setPassword] = useState<string | null>(null);
  const say = useToast();
  const errors = fieldErrors(add.error, '/email');
  const rest = errors.rest(['/email', '/name', '/role']);
  const form = useErrorFocus<HTMLFormElement>(add.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    add.mutate(
      { email, name, role },
      {
        onSuccess: ({ temporaryPassword }) => {
          setOpen(false);
          setEmail('');
          setName('');
          if (temporaryPassword === undefined) say(`${name} added`);
          else setPassword(temporaryPassword);
        },
      },
    );
  };
  const openNew = () => {
    add.reset();
    setOpen(true);
  };
  return (
    <>
      <Button onClick={openNew} size="small">
        <UserPlus aria-hidden />
        Add member
      </Button>
      <Dialog open={open} onOpenChange={setOpen} title="Add member">
        <form ref={form} onSubmit={submit} className="flex flex-col gap-3">
          <Input
            label="Email"
            type="email"
            required
            value={email}
            onChange={(event) => setEmail(event.target.value)}
            error={errors.at('/email')}
          />
          <Input
            label="Name"
            required
            maxLength={200}
            value={name}
            onChange={(event) => setName(event.target.value)}
            error={errors.at('/name')}
          />
          <Select<Role>
            label="Role"
            value={role}
            options={roleOptions(grantableRoles(organization.role))}
            onValue={setRole}
            hint={roleHints[role]}
            error={errors.at('/role')}
          />
          <ErrorText text={rest} />
          <Button look="primary" type="submit" busy={add.isPending}>
            Add
          </Button>
        </form>
      </Dialog>
      <SecretDialog
        title="Temporary password"
        description="The user signs in with their email and this password, and can change it in the account menu. Shown once. Share it securely."
        secret={password}
        onClose={() => setPassword(null)}
      />
    </>
  );
}
