import { useBlocker } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Confirm } from '../design/dialog.tsx';

/** Asks for confirmation before a page with unsaved changes is left. */
export function LeaveGuard({ unsaved }: { unsaved: () => boolean }): ReactNode {
  const blocker = useBlocker({ shouldBlockFn: unsaved, enableBeforeUnload: unsaved, withResolver: true });
  if (blocker.status !== 'blocked') return null;
  return <ConfirmLeave onStay={() => blocker.reset()} onLeave={() => blocker.proceed()} />;
}

/** Asks whether unsaved changes may be lost. */
export function ConfirmLeave({ onStay, onLeave }: { onStay(): void; onLeave(): void }): ReactNode {
  return (
    <Confirm
      open
      onOpenChange={onStay}
      title="Leave without saving?"
      description="Your changes will be lost."
      action="Leave"
      onConfirm={onLeave}
    />
  );
}
