import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CircleCheck, LoaderCircle } from 'lucide-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { isUnreachable } from '../../api/client.ts';
import { ingestHealthQuery, isReceiving } from '../../api/ingest-health.ts';
import type { IngestHealth } from '../../api/service.ts';
import { buttonClass } from '../../design/button.tsx';
import { classNames } from '../../design/class-names.ts';
import { Count, Moment } from '../../design/figures.tsx';
import { useTick } from '../../frame/use-tick.ts';
import { useProject } from '../../frame/project-context.ts';
import { rejectionsId } from './rejections.tsx';
import { pages } from '../../paths.ts';

const pollMs = 2_000;

/** Ingestion status: polls for the first span. */
export function Waiting(): ReactNode {
  const { at, projectId } = useProject();
  const { data, failureReason } = useQuery(ingestHealthQuery(projectId, pollMs));
  const nowMs = useTick(pollMs);
  const unreachable = isUnreachable(failureReason);
  const arrived = !unreachable && data !== undefined && data.status !== 'never';
  const [waited, setWaited] = useState(false);
  if (data?.status === 'never' && !waited) setWaited(true);
  return (
    <section
      aria-live="polite"
      aria-label="Ingestion status"
      className={classNames(
        'flex flex-wrap items-center gap-3 rounded-lg border px-4 py-3',
        arrived && isReceiving(data, nowMs) ? 'border-good/50 bg-good-soft' : 'border-line bg-surface',
      )}
    >
      {arrived ? (
        <CircleCheck className={isReceiving(data, nowMs) ? 'size-5 text-good' : 'size-5 text-ink-faint'} aria-hidden />
      ) : (
        <LoaderCircle className="size-5 text-ink-faint motion-safe:animate-spin" aria-hidden />
      )}
      <div className="min-w-0 flex-1">
        <p className="font-semibold">{headline(unreachable, data, { nowMs, waited })}</p>
        <p className="text-ink-soft">
          {arrived && data.lastSpanAt !== null ? (
            <>
              Last span <Moment ago iso={data.lastSpanAt} /> · <Count value={data.eventsLastHour} />{' '}
              {data.eventsLastHour === 1 ? 'event' : 'events'} in the last hour
              {data.rejectedLastHour > 0 && (
                <>
                  {' '}
                  ·{' '}
                  <a href={`#${rejectionsId}`} className="font-semibold text-bad hover:underline">
                    <Count value={data.rejectedLastHour} /> rejected
                  </a>
                </>
              )}
            </>
          ) : (
            'Checks every 2 seconds.'
          )}
        </p>
      </div>
      {arrived && (
        <Link {...pages.traces(at)} search={{ range: '24h' as const }} className={buttonClass('primary')}>
          View traces
        </Link>
      )}
    </section>
  );
}

/** @param waited whether the page has seen the project without spans */
function headline(
  unreachable: boolean,
  data: IngestHealth | undefined,
  { nowMs, waited }: { nowMs: number; waited: boolean },
): string {
  if (unreachable) return "Can't reach Spanwise";
  if (data === undefined || data.status === 'never') return 'Waiting for the first span…';
  if (!isReceiving(data, nowMs)) return 'No spans in the last 5 minutes';
  return waited ? 'Received the first span' : 'Receiving spans';
}
