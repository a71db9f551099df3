import { Share2 } from 'lucide-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { Button } from '../../design/button.tsx';
import { deferred } from '../../design/deferred.tsx';
import { useProject } from '../../frame/project-context.ts';

const ShareDialog = deferred(() => import('./share-dialog.tsx'));

/** Shares the trace by links that need no account. Hidden without permission. */
export function ShareTrace({ traceId }: { traceId: string }): ReactNode {
  const { can } = useProject();
  const [open, setOpen] = useState(false);
  if (!can('shares:manage')) return null;
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <Share2 aria-hidden />
        Share
      </Button>
      {open && <ShareDialog traceId={traceId} onClose={() => setOpen(false)} />}
    </>
  );
}
