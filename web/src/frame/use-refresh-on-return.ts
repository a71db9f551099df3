import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { refreshShown } from '../api/refresh.ts';

/** After this time away the page is refreshed. */
const awayMs = 60_000;

/** A form or a dialog keeps what was typed, also when it was refused. Searching is no form. */
const holdsInput =
  'form:not([role=search]), [role=dialog], [role=alertdialog], textarea:focus, input:not([type=search]):focus, [contenteditable]:focus';

/**
 * Refreshes the shown data when the viewer comes back to the window after a minute. Forms, dialogs and lists that are being read stay as they are:
 * the query client does not refetch on focus for their sake.
 */
export function useRefreshOnReturn(): void {
  const client = useQueryClient();
  useEffect(() => {
    let leftAt: number | null = null;
    const follow = () => {
      const isHere = document.visibilityState === 'visible' && document.hasFocus();
      if (!isHere) {
        leftAt ??= Date.now();
        return;
      }
      const away = leftAt === null ? 0 : Date.now() - leftAt;
      leftAt = null;
      if (away >= awayMs && document.querySelector(holdsInput) === null) void refreshShown(client, 'keep');
    };
    const signals = [
      [globalThis, 'focus'],
      [globalThis, 'blur'],
      [document, 'visibilitychange'],
    ] as const;
    for (const [target, name] of signals) target.addEventListener(name, follow);
    return () => {
      for (const [target, name] of signals) target.removeEventListener(name, follow);
    };
  }, [client]);
}
