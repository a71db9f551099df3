import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CircleCheck, LoaderCircle } from 'lucide-react';
import type { ReactNode } from 'react';
import { isUnreachable } from '../../api/client.ts';
import { ingestHealthQuery } from '../../api/ingest-health.ts';
import type { IngestHealth } from '../../api/wire.ts';
import { buttonClass } from '../../design/button.tsx';
import { classNames } from '../../design/class-names.ts';
import { Count, Moment } from '../../design/figures.tsx';
import { useProject } from '../../frame/project-context.ts';
import { pages } from '../../paths.ts';

const everyMs = 2_000;

/** Waits for the first span, and says so when it is there. */
export function Waiting(): ReactNode {
  const { at, projectId } = useProject();
  const { data, failureReason } = useQuery(ingestHealthQuery(projectId, everyMs));
  const away = isUnreachable(failureReason);
  const arrived = !away && data !== undefined && data.status !== 'never';
  return (
    <section
      aria-live="polite"
      aria-label="Whether spans arrive"
      className={classNames(
        'flex flex-wrap items-center gap-3 rounded-lg border px-4 py-3',
        arrived ? 'border-good/50 bg-good-soft' : 'border-line bg-surface',
      )}
    >
      {arrived ? (
        <CircleCheck className="size-5 text-good" aria-hidden />
      ) : (
        <LoaderCircle className="size-5 text-ink-faint motion-safe:animate-spin" aria-hidden />
      )}
      <div className="min-w-0 flex-1">
        <p className="font-semibold">{headline(away, data)}</p>
        <p className="text-ink-soft">
          {arrived && data.lastSpanAt !== null ? (
            <>
              The last one came <Moment ago iso={data.lastSpanAt} />; <Count value={data.eventsLastHour} />{' '}
              {data.eventsLastHour === 1 ? 'event' : 'events'} in the last hour
              {data.rejectedLastHour > 0 && (
                <>
                  , <b className="text-bad">{data.rejectedLastHour} rejected</b>
                </>
              )}
              .
            </>
          ) : (
            'This page looks for it every two seconds.'
          )}
        </p>
      </div>
      {arrived && (
        <Link {...pages.traces(at)} search={{ range: '24h' as const }} className={buttonClass('primary')}>
          Open the traces
        </Link>
      )}
    </section>
  );
}

function headline(away: boolean, data: IngestHealth | undefined): string {
  if (away) return 'The service does not answer';
  if (data === undefined || data.status === 'never') return 'Waiting for your first span…';
  return data.status === 'healthy' ? 'Spans are arriving' : 'Spans have arrived';
}
