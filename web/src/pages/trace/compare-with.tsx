import { Columns2 } from 'lucide-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import type { WholeOutline } from '../../api/parts.ts';
import { IconButton } from '../../design/button.tsx';
import { deferred } from '../../design/deferred.tsx';

const CompareDialog = deferred(() => import('./compare-dialog.tsx'));

/** Compares the trace with another one. */
export function CompareWith({ trace }: { trace: WholeOutline['trace'] }): ReactNode {
  const [open, setOpen] = useState(false);
  return (
    <>
      <IconButton label="Compare with…" onClick={() => setOpen(true)}>
        <Columns2 aria-hidden />
      </IconButton>
      {open && <CompareDialog trace={trace} onClose={() => setOpen(false)} />}
    </>
  );
}
