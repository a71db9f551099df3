import { useBlocker } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Confirm } from '../design/dialog.tsx';

/** Asks for confirmation before a page with unsaved changes is left. */
export function LeaveGuard({ unsaved }: { unsaved: () => boolean }): ReactNode {
  const blocker = useBlocker({ shouldBlockFn: unsaved, enableBeforeUnload: unsaved, withResolver: true });
  if (blocker.status !== 'blocked') return null;
  return (
    <Confirm
      open
      onOpenChange={() => blocker.reset()}
      title="Leave without saving?"
      description="Your changes will be lost."
      action="Leave"
      onConfirm={() => blocker.proceed()}
    />
  );
}
