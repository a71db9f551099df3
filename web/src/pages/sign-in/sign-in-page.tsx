import { useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import type { ReactNode } from 'react';
import { useSignIn } from '../../api/session.ts';
import type { Credentials } from '../../api/session.ts';
import { sessionHasEnded } from '../../frame/session-ended.tsx';
import { SignInForm } from '../../frame/sign-in-form.tsx';
import { pages } from '../../paths.ts';

/** The sign-in page. */
export default function SignInPage(): ReactNode {
  const { next } = useSearch({ from: '/sign-in' });
  const navigate = useNavigate();
  const { history } = useRouter();
  const signIn = useSignIn();
  useEffect(() => {
    document.title = 'Sign in · Spanwise';
  }, []);
  const submit = (credentials: Credentials) =>
    signIn.mutate(credentials, {
      onSuccess: () => {
        sessionHasEnded(false);
        if (next === undefined) void navigate(pages.home());
        else history.replace(next);
      },
    });
  return (
    <main className="flex min-h-full items-center justify-center p-4">
      <div className="w-full max-w-sm">
        <div className="mb-6 flex items-center gap-3">
          <img src="/favicon.svg" alt="" className="size-9 rounded-lg" />
          <div>
            <h1 className="text-xl font-semibold">Spanwise</h1>
            <p className="text-ink-faint">Sign in to the dashboard</p>
          </div>
        </div>
        <div className="rounded-xl border border-line bg-surface p-4 shadow-card">
          <SignInForm busy={signIn.isPending} error={signIn.error} onSubmit={submit} />
        </div>
        <p className="mt-4 text-xs text-ink-faint">
          The owner’s email and password are printed once, at the first start of the service. To reset a password, the operator
          runs <code className="font-mono">spanwise user reset-password</code>.
        </p>
      </div>
    </main>
  );
}
