import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import type { FormEvent, ReactNode } from 'react';
import { ApiError } from '../../api/client.ts';
import { fieldErrors } from '../../api/field-errors.ts';
import { useResetPassword } from '../../api/session.ts';
import { Button } from '../../design/button.tsx';
import { ErrorText } from '../../design/error-text.tsx';
import { useErrorFocus } from '../../design/use-error-focus.ts';
import { AccountCard } from '../../frame/account-card.tsx';
import { NewPasswordInput } from '../../frame/new-password-input.tsx';
import { pages } from '../../paths.ts';

/** The page that the link for a lost password opens. */
export default function ResetPasswordPage(): ReactNode {
  const { token } = useParams({ from: '/reset/$token' });
  const reset = useResetPassword();
  const [password, setPassword] = useState('');
  const errors = fieldErrors(reset.error);
  const form = useErrorFocus<HTMLFormElement>(reset.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    reset.mutate({ token, password });
  };
  const toSignIn = (
    <Link {...pages.signIn()} className="text-accent hover:underline">
      Go to sign-in
    </Link>
  );
  if (reset.isSuccess)
    return (
      <AccountCard title="Password changed" text="Sign in with your new password.">
        {toSignIn}
      </AccountCard>
    );
  if (reset.error instanceof ApiError && reset.error.status === 404)
    return (
      <AccountCard title="Link not valid" text="This link was used, has expired, or is not the newest.">
        <p className="text-ink-soft">Ask for a new one on the sign-in page.</p>
        {toSignIn}
      </AccountCard>
    );
  return (
    <AccountCard title="New password" text="It ends all sessions and personal access tokens of your account.">
      <form ref={form} onSubmit={submit} className="flex flex-col gap-3">
        <NewPasswordInput value={password} onValue={setPassword} error={errors.at('/password')} />
        <ErrorText text={errors.rest(['/password'])} />
        <Button look="primary" type="submit" busy={reset.isPending}>
          Set password
        </Button>
      </form>
    </AccountCard>
  );
}
