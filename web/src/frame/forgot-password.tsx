import { useState } from 'react';
import type { FormEvent, ReactNode } from 'react';
import { useForgotPassword } from '../api/session.ts';
import { Button } from '../design/button.tsx';
import { Dialog } from '../design/dialog.tsx';
import { Input } from '../design/field.tsx';

/** Asks for a mailed link that sets a new password. Where no mail is configured, it says whom to ask. */
export default function ForgotPassword({ onClose }: { onClose(): void }): ReactNode {
  const forgot = useForgotPassword();
  const [email, setEmail] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    forgot.mutate(email);
  };
  if (forgot.data)
    return (
      <Dialog
        open
        onOpenChange={onClose}
        title={forgot.data.mailed ? 'Check your mail' : 'No mail is configured'}
        footer={
          <Button look="primary" onClick={onClose}>
            Done
          </Button>
        }
      >
        {forgot.data.mailed ? (
          <p>
            If there is an account with this email, a link that sets a new password is on its way. It is valid for 30 minutes.
          </p>
        ) : (
          <p>
            This installation sends no mail. Ask its operator to run{' '}
            <code className="font-mono">spanwise user reset-password</code>.
          </p>
        )}
      </Dialog>
    );
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Forgot password?"
      description="You get a link that sets a new password."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit" form="forgot-password" busy={forgot.isPending} disabled={email === ''}>
            Send link
          </Button>
        </>
      }
    >
      <form id="forgot-password" onSubmit={submit}>
        <Input
          label="Email"
          type="email"
          autoComplete="username"
          required
          autoFocus
          value={email}
          onChange={(event) => setEmail(event.target.value)}
          error={forgot.error?.message}
        />
      </form>
    </Dialog>
  );
}
