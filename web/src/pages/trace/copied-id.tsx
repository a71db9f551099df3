import type { ReactNode } from 'react';
import { CopyButton } from '../../design/copy.tsx';
import { Visible } from '../../design/visible.tsx';

/** An id, shown whole, with a button that copies it. */
export function CopiedId({ id, what }: { id: string; what: string }): ReactNode {
  return (
    <span className="flex min-w-0 items-center">
      <Visible text={id} className="min-w-0 font-mono text-xs whitespace-normal [overflow-wrap:anywhere]" />
      <CopyButton label={`Copy ${what}`} text={id} />
    </span>
  );
}
