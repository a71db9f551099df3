import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ingestHealthQuery } from '../api/ingest-health.ts';
import type { IngestHealth } from '../api/wire.ts';
import { classNames } from '../design/class-names.ts';
import { formatAgo } from '../format/time-format.ts';
import { pages } from '../paths.ts';
import { useProject } from './project-context.ts';

const everyMs = 30_000;

function sentence({ status, lastSpanAt }: IngestHealth): string {
  if (status === 'never') return 'No span yet';
  const ago = lastSpanAt === null ? '' : formatAgo(lastSpanAt);
  return status === 'healthy' ? `Receiving · ${ago}` : `Quiet · ${ago}`;
}

/** Whether spans arrive; leads to how to send some. */
export function IngestStatus(): ReactNode {
  const { at, projectId } = useProject();
  const { data } = useQuery(ingestHealthQuery(projectId, everyMs));
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
