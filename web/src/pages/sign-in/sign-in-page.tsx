import { useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { FormEvent, ReactNode } from 'react';
import { useSignIn } from '../../api/session.ts';
import { Button } from '../../design/button.tsx';
import { Input } from '../../design/field.tsx';
import { pages } from '../../paths.ts';

/** Signing in with email and password. */
export default function SignInPage(): ReactNode {
  const { next } = useSearch({ from: '/sign-in' });
  const navigate = useNavigate();
  const { history } = useRouter();
  const signIn = useSignIn();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  useEffect(() => {
    document.title = 'Sign in · Spanwise';
  }, []);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    signIn.mutate(
      { email, password },
      {
        onSuccess: () => {
          if (next === undefined) void navigate(pages.home());
          else history.replace(next);
        },
      },
    );
  };
  return (
    <main className="flex min-h-full items-center justify-center p-4">
      <div className="w-full max-w-sm">
        <div className="mb-6 flex items-center gap-3">
          <img src="/favicon.svg" alt="" className="size-9 rounded-lg" />
          <div>
            <h1 className="text-xl font-semibold">Spanwise</h1>
            <p className="text-ink-faint">Sign in to your dashboard</p>
          </div>
        </div>
        <form onSubmit={submit} className="flex flex-col gap-3 rounded-xl border border-line bg-surface p-4 shadow-card">
          <Input
            label="Email"
            type="email"
            autoComplete="username"
            required
            autoFocus
            value={email}
            onChange={(event) => setEmail(event.target.value)}
          />
          <Input
            label="Password"
            type="password"
            autoComplete="current-password"
            required
            value={password}
            onChange={(event) => setPassword(event.target.value)}
            error={signIn.error?.message}
          />
          <Button look="primary" type="submit" busy={signIn.isPending}>
            Sign in
          </Button>
        </form>
        <p className="mt-4 text-xs text-ink-faint">
          The first start of the service prints the owner’s email and password once. Lost it? An owner can add you again; the
          operator finds help in README.md.
        </p>
      </div>
    </main>
  );
}
