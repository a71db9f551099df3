import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import { toldPending, watchedHealthQuery } from '../api/ingest-health.ts';
import { refreshShown } from '../api/refresh.ts';
import { Badge } from '../design/badge.tsx';
import { countedExactly, formatDuration } from '../format/number-format.ts';

/** Tells how many events were received and are not yet in what the page shows; refreshes it when they are. */
export function PendingNote({ projectId }: { projectId: string }): ReactNode {
  const client = useQueryClient();
  const { data } = useQuery(watchedHealthQuery(projectId));
  const pending = data === undefined ? 0 : toldPending(data);
  const told = useRef(false);
  useEffect(() => {
    if (told.current && pending === 0) void refreshShown(client, 'keep');
    told.current = pending > 0;
  }, [pending, client]);
  if (data === undefined || pending === 0) return null;
  return (
    <span
      role="status"
      title={`Received and stored. Not yet in lists and figures; the oldest waits for ${formatDuration(data.pendingMs)}.`}
    >
      <Badge tone="warn">{countedExactly(pending, 'event')} pending</Badge>
    </span>
  );
}
