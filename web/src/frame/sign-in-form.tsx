import { useState } from 'react';
import type { FormEvent, ReactNode } from 'react';
import type { Credentials } from '../api/session.ts';
import { Button } from '../design/button.tsx';
import { Input } from '../design/field.tsx';

interface SignInFormProps {
  /** Prefilled for a user who signs in again. */
  email?: string;
  busy: boolean;
  error: Error | null;
  onSubmit(credentials: Credentials): void;
}

/** The sign-in form: email and password. */
export function SignInForm({ email: known, busy, error, onSubmit }: SignInFormProps): ReactNode {
  const [email, setEmail] = useState(known ?? '');
  const [password, setPassword] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // In a dialog, React bubbles the event to a form of the page.
    event.stopPropagation();
    onSubmit({ email, password });
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-3">
      <Input
        label="Email"
        type="email"
        autoComplete="username"
        required
        autoFocus={known === undefined}
        value={email}
        onChange={(event) => setEmail(event.target.value)}
      />
      <Input
        label="Password"
        type="password"
        autoComplete="current-password"
        required
        autoFocus={known !== undefined}
        value={password}
        onChange={(event) => setPassword(event.target.value)}
        error={error?.message}
      />
      <Button look="primary" type="submit" busy={busy}>
        Sign in
      </Button>
    </form>
  );
}
