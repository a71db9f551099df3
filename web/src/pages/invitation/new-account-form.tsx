import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { FormEvent, ReactNode } from 'react';
import { fieldErrors } from '../../api/field-errors.ts';
import { useAcceptInvitation } from '../../api/invitations.ts';
import { Button } from '../../design/button.tsx';
import { ErrorText } from '../../design/error-text.tsx';
import { Input } from '../../design/field.tsx';
import { useErrorFocus } from '../../design/use-error-focus.ts';
import { NewPasswordInput } from '../../frame/new-password-input.tsx';
import { pages } from '../../paths.ts';

/** Accepts an invitation as a new person, or leads those who have an account to the sign-in. The service does not say before which of both it is. */
export function NewAccountForm({ token, email }: { token: string; email: string }): ReactNode {
  const accept = useAcceptInvitation();
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const errors = fieldErrors(accept.error);
  const form = useErrorFocus<HTMLFormElement>(accept.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    accept.mutate({ token, name: name.trim(), password }, { onSuccess: () => void navigate(pages.home()) });
  };
  return (
    <>
      <form ref={form} onSubmit={submit} className="flex flex-col gap-3">
        <Input label="Email" type="email" autoComplete="username" value={email} readOnly />
        <Input
          label="Your name"
          autoComplete="name"
          required
          autoFocus
          maxLength={200}
          value={name}
          onChange={(event) => setName(event.target.value)}
          error={errors.at('/name')}
        />
        <NewPasswordInput value={password} onValue={setPassword} error={errors.at('/password')} />
        <ErrorText text={errors.rest(['/name', '/password'])} />
        <Button look="primary" type="submit" busy={accept.isPending}>
          Create account and join
        </Button>
      </form>
      <p className="text-ink-soft">
        Do you have an account?{' '}
        <Link {...pages.signIn()} search={{ next: `/invite/${token}` }} className="text-accent hover:underline">
          Sign in
        </Link>
      </p>
    </>
  );
}
