import { useSyncExternalStore } from 'react';
import type { ReactNode } from 'react';
import { useSignInAgain } from '../api/session.ts';
import { Dialog } from '../design/dialog.tsx';
import { useProject } from './project-context.ts';
import { SignInForm } from './sign-in-form.tsx';

let ended = false;
const listeners = new Set<() => void>();

/** Opens the sign-in dialog, or closes it with `false`. */
export function sessionHasEnded(now: boolean): void {
  ended = now;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** A sign-in dialog over the page, so that typed text is kept when the session expires. */
export function SessionEnded(): ReactNode {
  const { user } = useProject();
  const signIn = useSignInAgain(user.id);
  const open = useSyncExternalStore(subscribe, () => ended);
  return (
    <Dialog
      open={open}
      onOpenChange={sessionHasEnded}
      title="Your session has ended"
      description="Sign in again to continue. Your unsaved changes are kept."
    >
      <SignInForm
        email={user.email}
        busy={signIn.isPending}
        error={signIn.error}
        onSubmit={(credentials) => signIn.mutate(credentials, { onSuccess: () => sessionHasEnded(false) })}
      />
    </Dialog>
  );
}
