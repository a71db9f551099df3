import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { isUnreachable } from '../api/client.ts';
import { ingestHealthQuery } from '../api/ingest-health.ts';
import type { IngestHealth } from '../api/wire.ts';
import { classNames } from '../design/class-names.ts';
import { formatAgo } from '../format/time-format.ts';
import { pages } from '../paths.ts';
import { useProject } from './project-context.ts';

const everyMs = 30_000;
/** While the service does not answer. */
const awayMs = 3_000;

function sentence({ status, lastSpanAt }: IngestHealth): string {
  if (status === 'never') return 'No span yet';
  const ago = lastSpanAt === null ? '' : formatAgo(lastSpanAt);
  return status === 'healthy' ? `Receiving · ${ago}` : `Quiet · ${ago}`;
}

/** Whether spans arrive, and whether the service answers at all; leads to how to send some. */
export function IngestStatus(): ReactNode {
  const { at, projectId } = useProject();
  const { data, failureReason } = useQuery({
    ...ingestHealthQuery(projectId),
    staleTime: 0,
    refetchInterval: ({ state }) => (isUnreachable(state.fetchFailureReason) ? awayMs : everyMs),
  });
  if (isUnreachable(failureReason)) {
    return (
      <p role="status" className="mx-2 mb-2 flex h-7 items-center gap-2 px-2 text-xs font-medium text-bad">
        <span aria-hidden className="size-2 rounded-full bg-bad" />
        <span
          className="truncate"
          title="The service does not answer. What is shown was read before; it is asked again every few seconds."
        >
          Not connected
        </span>
      </p>
    );
  }
  if (!data) return <div className="h-9" />;
  return (
    <Link
      {...pages.start(at)}
      className="mx-2 mb-2 flex h-7 items-center gap-2 rounded-md px-2 text-xs text-ink-soft hover:bg-hover"
      title="Whether spans arrive in this project; opens how to send some"
    >
      <span
        aria-hidden
        className={classNames(
          'size-2 rounded-full',
          data.status === 'healthy' ? 'bg-good' : data.status === 'stale' ? 'bg-warn' : 'bg-ink-faint',
        )}
      />
      <span className="truncate">{sentence(data)}</span>
    </Link>
  );
}
