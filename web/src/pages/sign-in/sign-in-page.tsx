import { useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { useSignIn } from '../../api/session.ts';
import type { Credentials } from '../../api/session.ts';
import { Button } from '../../design/button.tsx';
import { deferred } from '../../design/deferred.tsx';
import { AccountCard } from '../../frame/account-card.tsx';
import { sessionHasEnded } from '../../frame/session-ended.tsx';
import { SignInForm } from '../../frame/sign-in-form.tsx';
import { pages } from '../../paths.ts';

const ForgotPassword = deferred(() => import('../../frame/forgot-password.tsx'));

/** The sign-in page. */
export default function SignInPage(): ReactNode {
  const { next } = useSearch({ from: '/sign-in' });
  const navigate = useNavigate();
  const { history } = useRouter();
  const signIn = useSignIn();
  const [forgot, setForgot] = useState(false);
  const submit = (credentials: Credentials) =>
    signIn.mutate(credentials, {
      onSuccess: () => {
        sessionHasEnded(false);
        if (next === undefined) void navigate(pages.home());
        else history.replace(next);
      },
    });
  return (
    <AccountCard
      title="Sign in"
      heading="Spanwise"
      text="Sign in to the dashboard"
      note="The owner’s email and password are printed once, at the first start of the service."
    >
      <SignInForm busy={signIn.isPending} error={signIn.error} onSubmit={submit} />
      <Button look="quiet" onClick={() => setForgot(true)}>
        Forgot password?
      </Button>
      {forgot && <ForgotPassword onClose={() => setForgot(false)} />}
    </AccountCard>
  );
}
