import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';
import type { ReactNode } from 'react';
import { traceOutlineQuery } from '../../api/traces.ts';
import type { WholeOutline } from '../../api/parts.ts';
import { Badge } from '../../design/badge.tsx';
import { CopyButton } from '../../design/copy.tsx';
import { Failure, PageSkeleton } from '../../design/states.tsx';
import { countedExactly } from '../../format/number-format.ts';
import { BackLink } from '../../frame/back-link.tsx';
import { Page } from '../../frame/page.tsx';
import { useProject } from '../../frame/project-context.ts';
import { pages } from '../../paths.ts';
import { AddToDataset } from './add-to-dataset.tsx';
import { DeleteTrace } from './delete-trace.tsx';
import { firstSpan } from './first-span.ts';
import { TraceNeighbours } from './neighbours.tsx';
import { pollIntervalMs, isRunning } from './running.ts';
import type { SpanView } from './search.ts';
import { TraceBody } from './trace-body.tsx';
import { TraceFacts } from './trace-facts.tsx';

/** One trace. */
export default function TracePage(): ReactNode {
  const { at, projectId } = useProject();
  const { traceId } = useParams({ from: '/o/$org/p/$project/traces/$traceId' });
  const { span, view = 'content', q } = useSearch({ from: '/o/$org/p/$project/traces/$traceId' });
  const navigate = useNavigate();
  const query = useQuery({
    ...traceOutlineQuery(projectId, traceId),
    refetchInterval: ({ state }) => pollIntervalMs(state.data, Date.now()),
  });
  const select = useCallback(
    (spanId: string | null) =>
      void navigate({
        to: '.',
        search: ({ q: text, view: shown }) =>
          spanId === null ? { q: text, view: 'trace' } : { q: text, view: shown === 'trace' ? undefined : shown, span: spanId },
        replace: true,
      }),
    [navigate],
  );
  const show = useCallback(
    (spanId: string, next: SpanView) =>
      void navigate({
        to: '.',
        // With the span, which a reload of a running trace may choose anew.
        search: ({ q: text }) => ({ q: text, span: spanId, view: next === 'content' ? undefined : next }),
        replace: true,
      }),
    [navigate],
  );
  const trail = (
    <Link {...pages.traces(at)} className="shrink-0 text-ink-faint hover:text-ink hover:underline">
      Traces /
    </Link>
  );
  if (!query.data) {
    return (
      <Page title={traceId} trail={trail}>
        {query.error ? (
          <Failure
            error={query.error}
            what="Trace"
            back={<BackLink {...pages.traces(at)}>Back to traces</BackLink>}
            onRetry={() => void query.refetch()}
          />
        ) : (
          <PageSkeleton />
        )}
      </Page>
    );
  }
  const { trace, truncated } = query.data;
  const selected = span ?? (view === 'trace' ? null : firstSpan(query.data));
  const running = isRunning(query.data);
  return (
    <Page
      title={trace.name ?? traceId}
      trail={trail}
      badges={<StatusBadges trace={trace} running={running} truncated={truncated === true} onFailed={() => select(null)} />}
      fill="wide"
      actions={
        <>
          <TraceFacts trace={trace} runningAsOfMs={running ? query.dataUpdatedAt : null} />
          <TraceNeighbours trace={trace} />
          <CopyButton text={() => location.href} label="Copy link" />
          <AddToDataset detail={query.data} selected={selected} />
          <DeleteTrace traceId={traceId} />
        </>
      }
    >
      <TraceBody
        key={traceId}
        detail={query.data}
        asOfMs={query.dataUpdatedAt}
        selected={selected}
        view={view === 'trace' ? 'content' : view}
        query={q ?? ''}
        onSelect={select}
        onView={show}
      />
    </Page>
  );
}

interface StatusBadgesProps {
  trace: WholeOutline['trace'];
  running: boolean;
  truncated: boolean;
  /** Shows the failed spans. */
  onFailed(): void;
}

function StatusBadges({ trace, running, truncated, onFailed }: StatusBadgesProps): ReactNode {
  return (
    <>
      {trace.status === 'error' && (
        <button type="button" title="Show the failed spans" onClick={onFailed} className="shrink-0 hover:underline">
          <Badge tone="bad">{countedExactly(trace.errorCount, 'failed span')}</Badge>
        </button>
      )}
      {running && <Badge tone="accent">running</Badge>}
      {truncated && (
        <Badge tone="warn" title="The trace exceeds the response limit. Some spans are missing or have no content.">
          truncated
        </Badge>
      )}
    </>
  );
}
