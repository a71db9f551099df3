import type { ReactNode } from 'react';

interface ErrorTextProps {
  /** For `aria-describedby` of the field. */
  id?: string;
  /** null, undefined or empty: no error. */
  text: string | null | undefined;
}

/** The error of a field, or of a form for what its fields do not show. */
export function ErrorText({ id, text }: ErrorTextProps): ReactNode {
  if (!text) return null;
  return (
    <p id={id} role="alert" className="text-xs text-bad">
      {text}
    </p>
  );
}
