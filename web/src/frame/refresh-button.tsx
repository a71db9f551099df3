import { useQueryClient } from '@tanstack/react-query';
import { RefreshCw } from 'lucide-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { refreshShown } from '../api/refresh.ts';
import { IconButton } from '../design/button.tsx';
import { classNames } from '../design/class-names.ts';

/** Loads the data of the page again. */
export function RefreshButton(): ReactNode {
  const client = useQueryClient();
  const [busy, setBusy] = useState(false);
  const refresh = () => {
    setBusy(true);
    void refreshShown(client, 'reload').finally(() => setBusy(false));
  };
  return (
    <IconButton label="Refresh" aria-busy={busy || undefined} onClick={refresh}>
      <RefreshCw className={classNames(busy && 'motion-safe:animate-spin')} aria-hidden />
    </IconButton>
  );
}
