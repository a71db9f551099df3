import { UserPlus } from 'lucide-react';
import { useState } from 'react';
import type { FormEvent, ReactNode } from 'react';
import { useMemberActions } from '../../api/members.ts';
import type { Role } from '../../api/wire.ts';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { Input, Select } from '../../design/field.tsx';
import { useToast } from '../../design/toast.tsx';
import { useProject } from '../../frame/project-context.ts';
import { grantableRoles, roleOptions, roleWords } from './roles.ts';
import { SecretDialog } from './secret-dialog.tsx';

/** Adds somebody by email. Who is new to the service gets a first password, shown once. */
export function AddMember(): ReactNode {
  const { organization } = useProject();
  const { add } = useMemberActions(organization.id);
  const [open, setOpen] = useState(false);
  const [email, setEmail] = useState('');
  const [name, setName] = useState('');
  const [role, setRole] = useState<Role>('member');
  const [password, setPassword] = useState<string | null>(null);
  const say = useToast();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    add.mutate(
      { email, name, role },
      {
        onSuccess: ({ temporaryPassword }) => {
          setOpen(false);
          setEmail('');
          setName('');
          if (temporaryPassword === undefined) say(`${name} was added.`);
          else setPassword(temporaryPassword);
        },
      },
    );
  };
  return (
    <>
      <Button onClick={() => setOpen(true)} size="small">
        <UserPlus aria-hidden />
        Add a member
      </Button>
      <Dialog open={open} onOpenChange={setOpen} title="Add a member">
        <form onSubmit={submit} className="flex flex-col gap-3">
          <Input label="Email" type="email" required value={email} onChange={(event) => setEmail(event.target.value)} />
          <Input label="Name" required maxLength={200} value={name} onChange={(event) => setName(event.target.value)} />
          <Select<Role>
            label="Role"
            value={role}
            options={roleOptions(grantableRoles(organization.role))}
            onValue={setRole}
            hint={`A ${role} may do: ${roleWords[role]}.`}
            error={add.error?.message}
          />
          <Button look="primary" type="submit" busy={add.isPending}>
            Add
          </Button>
        </form>
      </Dialog>
      <SecretDialog
        title="A first password"
        description="They sign in with their email and this. It is shown this once; hand it over on a way that you trust."
        secret={password}
        onClose={() => setPassword(null)}
      />
    </>
  );
}
