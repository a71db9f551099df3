import { useState } from 'react';
import type { FormEvent, ReactNode } from 'react';
import { fieldErrors } from '../api/field-errors.ts';
import { useChangePassword } from '../api/session.ts';
import { Button } from '../design/button.tsx';
import { Dialog } from '../design/dialog.tsx';
import { ErrorText } from '../design/error-text.tsx';
import { Input } from '../design/field.tsx';
import { Switch } from '../design/switch.tsx';
import { useToast } from '../design/toast.tsx';
import { useErrorFocus } from '../design/use-error-focus.ts';
import { useProject } from './project-context.ts';

/** Changes the viewer's own password. */
export default function PasswordDialog({ onClose }: { onClose(): void }): ReactNode {
  const { user } = useProject();
  const change = useChangePassword();
  const [currentPassword, setCurrentPassword] = useState('');
  const [newPassword, setNewPassword] = useState('');
  const [shown, setShown] = useState(false);
  const say = useToast();
  const errors = fieldErrors(change.error);
  const rest = errors.rest(['/currentPassword', '/newPassword']);
  const form = useErrorFocus<HTMLFormElement>(change.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    change.mutate(
      { currentPassword, newPassword },
      {
        onSuccess: () => {
          say('Password changed');
          onClose();
        },
      },
    );
  };
  const common = { type: shown ? 'text' : 'password', required: true, maxLength: 1024, spellCheck: false } as const;
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Change password"
      description="Your other sessions end. Personal access tokens stay valid."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            look="primary"
            type="submit"
            form="change-password"
            busy={change.isPending}
            disabled={currentPassword === '' || newPassword === ''}
          >
            Change password
          </Button>
        </>
      }
    >
      <form ref={form} id="change-password" onSubmit={submit} className="flex flex-col gap-3">
        {/* For password managers, which store the password with it. */}
        <input type="text" autoComplete="username" value={user.email} readOnly hidden />
        <Input
          {...common}
          label="Current password"
          autoComplete="current-password"
          value={currentPassword}
          onChange={(event) => setCurrentPassword(event.target.value)}
          error={errors.at('/currentPassword')}
        />
        <Input
          {...common}
          label="New password"
          autoComplete="new-password"
          hint={errors.at('/newPassword') === null ? 'At least 8 characters.' : undefined}
          value={newPassword}
          onChange={(event) => setNewPassword(event.target.value)}
          error={errors.at('/newPassword')}
        />
        <Switch label="Show passwords" checked={shown} onChange={setShown} />
        <ErrorText text={rest} />
      </form>
    </Dialog>
  );
}
