import { useBlocker } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Confirm } from '../design/dialog.tsx';

/** Asks before a page with something unsaved is left. */
export function LeaveGuard({ unsaved }: { unsaved: () => boolean }): ReactNode {
  const blocker = useBlocker({ shouldBlockFn: unsaved, enableBeforeUnload: unsaved, withResolver: true });
  if (blocker.status !== 'blocked') return null;
  return (
    <Confirm
      open
      onOpenChange={() => blocker.reset()}
      title="Leave without saving?"
      description="What you wrote here is not saved."
      action="Leave"
      onConfirm={() => blocker.proceed()}
    />
  );
}
