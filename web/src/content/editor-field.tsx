import type { ReactNode } from 'react';
import { deferred } from '../design/deferred.tsx';
import { Skeleton } from '../design/states.tsx';

/** The code editor, loaded on first use. */
export const Editor = deferred(() => import('./code-editor.tsx'), <Skeleton className="h-24" />);

interface EditorFieldProps {
  label: string;
  /** At the end of the label row. */
  aside?: ReactNode;
  hint?: ReactNode;
  error?: string | null;
  children: ReactNode;
}

/** A labelled field for an editor, with hint and error. */
export function EditorField({ label, aside, hint, error, children }: EditorFieldProps): ReactNode {
  return (
    <div className="flex min-w-0 flex-col gap-1" role="group" aria-label={label}>
      <div className="flex items-center gap-2">
        <span className="flex-1 text-xs font-medium text-ink-soft" aria-hidden>
          {label}
        </span>
        {aside}
      </div>
      {children}
      {error && (
        <p role="alert" className="text-xs [overflow-wrap:anywhere] text-bad">
          {error}
        </p>
      )}
      {hint !== undefined && <p className="text-xs text-ink-faint">{hint}</p>}
    </div>
  );
}
