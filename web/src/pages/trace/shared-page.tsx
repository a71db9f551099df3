import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { ReactNode } from 'react';
import { ApiError } from '../../api/client.ts';
import { sharedOutline, sharedTraceQuery } from '../../api/shares.ts';
import type { SharedTrace } from '../../api/service.ts';
import { Badge } from '../../design/badge.tsx';
import { Empty, Failure, PageSkeleton } from '../../design/states.tsx';
import { countedExactly } from '../../format/number-format.ts';
import { formatUtcDay } from '../../format/time-format.ts';
import { OutsidePage } from '../../frame/outside-page.tsx';
import { Page } from '../../frame/page.tsx';
import { ThemeToggle } from '../../frame/theme-toggle.tsx';
import { firstSpan } from './first-span.ts';
import { SharedOverview, SharedSpanDetail } from './shared-detail.tsx';
import { TraceFacts } from './trace-facts.tsx';
import { TraceLayout } from './trace-layout.tsx';

/** A trace that a link shows: read only, without an account, by the one request for it. */
export default function SharedPage(): ReactNode {
  const { token } = useParams({ from: '/share/$token' });
  const query = useQuery(sharedTraceQuery(token));
  if (query.data) return <Shared shared={query.data} asOfMs={query.dataUpdatedAt} />;
  if (!query.error) {
    return (
      <OutsidePage title="Shared trace">
        <PageSkeleton />
      </OutsidePage>
    );
  }
  return (
    <OutsidePage title="Shared trace">
      {query.error instanceof ApiError && query.error.status === 404 ? (
        <Empty title="This link shows nothing">
          It has expired, was deleted, or there never was one. Ask who sent it for a new one.
        </Empty>
      ) : (
        <Failure error={query.error} what="Shared trace" onRetry={() => void query.refetch()} />
      )}
    </OutsidePage>
  );
}

function Shared({ shared, asOfMs }: { shared: SharedTrace; asOfMs: number }): ReactNode {
  const { span: given } = useSearch({ from: '/share/$token' });
  const navigate = useNavigate();
  const outline = useMemo(() => sharedOutline(shared), [shared]);
  const { trace, spans } = outline;
  const first = useMemo(
    () => firstSpan({ spans, trace: { outputFrom: trace.outputFrom ?? null, outputPreview: null } }),
    [spans, trace],
  );
  const selected = given ?? first;
  const select = (spanId: string | null) => void navigate({ to: '.', search: { span: spanId ?? '' }, replace: true });
  return (
    <main className="h-full overflow-auto">
      <Page
        title={trace.name ?? 'Trace without a name'}
        trail={
          <span className="flex shrink-0 items-center gap-2 text-ink-faint">
            <img src="/favicon.svg" alt="Spanwise" className="size-5 rounded" /> Shared trace /
          </span>
        }
        badges={<Badges shared={shared} />}
        fill="wide"
        actions={
          <>
            <TraceFacts trace={trace} runningAsOfMs={null} />
            <span className="text-ink-faint">
              Link valid until <time dateTime={shared.expiresAt}>{formatUtcDay(shared.expiresAt.slice(0, 10))}</time>
            </span>
            <ThemeToggle />
          </>
        }
      >
        <TraceLayout
          {...{ spans, asOfMs, selected }}
          status={trace.status}
          holds={outline.hasPayloads ? 'input and output' : 'models and agents'}
          onSelect={select}
        >
          {(span) =>
            span ? (
              <SharedSpanDetail {...{ outline, span }} onSelect={select} />
            ) : (
              <SharedOverview outline={outline} onSelect={select} />
            )
          }
        </TraceLayout>
      </Page>
    </main>
  );
}

function Badges({ shared: { trace, truncated } }: { shared: SharedTrace }): ReactNode {
  return (
    <>
      {trace.status === 'error' && <Badge tone="bad">{countedExactly(trace.errorCount, 'failed span')}</Badge>}
      {truncated && (
        <Badge tone="warn" title="The trace exceeds what a link can show. Marks in the texts say where something is left out.">
          cut
        </Badge>
      )}
    </>
  );
}
