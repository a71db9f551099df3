import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { isUnreachable } from '../api/client.ts';
import { isReceiving, watchedHealthQuery } from '../api/ingest-health.ts';
import type { IngestHealth } from '../api/service.ts';
import { classNames } from '../design/class-names.ts';
import { countedExactly, formatCount } from '../format/number-format.ts';
import { formatAgo } from '../format/time-format.ts';
import { pages } from '../paths.ts';
import { useProject } from './project-context.ts';
import { useTick } from './use-tick.ts';

const tickMs = 10_000;

function sentence({ lastSpanAt }: IngestHealth, receiving: boolean, nowMs: number): string {
  if (lastSpanAt === null) return 'No spans yet';
  const ago = formatAgo(lastSpanAt, Math.max(nowMs, Date.parse(lastSpanAt)));
  return receiving ? `Receiving · ${ago}` : `Last span ${ago}`;
}

/** Ingestion and connection status; links to the set-up page. */
export function IngestStatus(): ReactNode {
  const { at, projectId } = useProject();
  const { data, failureReason } = useQuery(watchedHealthQuery(projectId));
  const nowMs = useTick(tickMs);
  if (isUnreachable(failureReason)) {
    return (
      <p role="status" className="mx-2 mb-2 flex h-7 items-center gap-2 px-2 text-xs font-medium text-bad">
        <span aria-hidden className="size-2 rounded-full bg-bad" />
        <span className="truncate" title="Can't reach Spanwise. Showing data loaded earlier. Retrying every 3 seconds.">
          Not connected
        </span>
      </p>
    );
  }
  if (!data) return <div className="h-9" />;
  const receiving = isReceiving(data, nowMs);
  return (
    <Link
      {...pages.start(at)}
      className="mx-2 mb-2 flex min-h-7 flex-wrap items-center gap-x-2 rounded-md px-2 py-1 text-xs text-ink-soft hover:bg-hover"
      title="Ingestion status of this project. Opens the set-up page."
    >
      <span
        aria-hidden
        className={classNames(
          'size-2 rounded-full',
          receiving ? 'bg-good' : data.status === 'never' ? 'bg-ink-faint' : 'bg-warn',
        )}
      />
      <span className="truncate">{sentence(data, receiving, nowMs)}</span>
      {data.rejectedLastHour > 0 && (
        <span
          className="ml-auto shrink-0 text-bad"
          title={`${countedExactly(data.rejectedLastHour, 'event')} rejected in the last hour. Opens the reasons.`}
        >
          {formatCount(data.rejectedLastHour)} rejected
        </span>
      )}
    </Link>
  );
}
