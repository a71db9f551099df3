import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { FormEvent, ReactNode } from 'react';
import { fieldErrors } from '../../api/field-errors.ts';
import { useAcceptInvitation } from '../../api/invitations.ts';
import { Button } from '../../design/button.tsx';
import { ErrorText } from '../../design/error-text.tsx';
import { Visible } from '../../design/visible.tsx';
import { useErrorFocus } from '../../design/use-error-focus.ts';
import { NewPasswordInput } from '../../frame/new-password-input.tsx';
import { pages } from '../../paths.ts';

/** Accepts an invitation as the user who is signed in. The service asks for a new password where somebody else chose the one of the account. */
export function JoinForm({ token, user }: { token: string; user: { name: string; email: string } }): ReactNode {
  const accept = useAcceptInvitation();
  const navigate = useNavigate();
  const [password, setPassword] = useState('');
  const [asked, setAsked] = useState(false);
  const errors = fieldErrors(accept.error);
  const form = useErrorFocus<HTMLFormElement>(accept.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    accept.mutate(
      { token, ...(asked ? { password } : {}) },
      {
        onSuccess: () => void navigate(pages.home()),
        onError: (error) => fieldErrors(error).at('/password') !== null && setAsked(true),
      },
    );
  };
  return (
    <form ref={form} onSubmit={submit} className="flex flex-col gap-3">
      <p className="text-ink-soft [overflow-wrap:anywhere]">
        You are signed in as <Visible text={user.email} className="font-medium text-ink" />.
      </p>
      {asked && (
        <>
          <p className="text-ink-soft">
            Somebody else chose your password. Choose a new one before you join. It ends your sessions and personal access tokens.
          </p>
          <input type="text" autoComplete="username" value={user.email} readOnly hidden />
          <NewPasswordInput value={password} onValue={setPassword} error={password === '' ? null : errors.at('/password')} />
        </>
      )}
      <ErrorText text={errors.rest(['/password'])} />
      <Button look="primary" type="submit" busy={accept.isPending}>
        {asked ? 'Set password and join' : 'Join'}
      </Button>
    </form>
  );
}
