import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';
import type { ReactNode } from 'react';
import { traceOutlineQuery } from '../../api/traces.ts';
import type { TraceOutline } from '../../api/wire.ts';
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
import { TraceNeighbours } from './neighbours.tsx';
import { pollIntervalMs, isRunning } from './running.ts';
import type { SpanView } from './search.ts';
import { TraceBody } from './trace-body.tsx';
import { TraceFacts } from './trace-facts.tsx';

/** One trace. */
export default function TracePage(): ReactNode {
  const { at, projectId } = useProject();
  const { traceId } = useParams({ from: '/o/$org/p/$project/traces/$traceId' });
  const { span = null, view = 'content' } = useSearch({ from: '/o/$org/p/$project/traces/$traceId' });
  const navigate = useNavigate();
  const query = useQuery({
    ...traceOutlineQuery(projectId, traceId),
    refetchInterval: ({ state }) => pollIntervalMs(state.data, Date.now()),
  });
  const select = useCallback(
    (spanId: string | null) =>
      void navigate({ to: '.', search: (before) => (spanId === null ? {} : { ...before, span: spanId }), replace: true }),
    [navigate],
  );
  const show = useCallback(
    (next: SpanView) =>
      void navigate({
        to: '.',
        search: (before) => ({ ...before, view: next === 'content' ? undefined : next }),
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
  const running = isRunning(query.data);
  return (
    <Page
      title={trace.name ?? traceId}
      trail={trail}
      badges={<StatusBadges trace={trace} running={running} truncated={truncated === true} />}
      fill="wide"
      actions={
        <>
          <TraceFacts trace={trace} runningAsOfMs={running ? query.dataUpdatedAt : null} />
          <TraceNeighbours trace={trace} />
          <CopyButton text={() => location.href} label="Copy link" />
          <AddToDataset detail={query.data} selected={span} />
          <DeleteTrace traceId={traceId} />
        </>
      }
    >
      <TraceBody
        key={traceId}
        detail={query.data}
        asOfMs={query.dataUpdatedAt}
        selected={span}
        view={view}
        onSelect={select}
        onView={show}
      />
    </Page>
  );
}

interface StatusBadgesProps {
  trace: TraceOutline['trace'];
  running: boolean;
  truncated: boolean;
}

function StatusBadges({ trace, running, truncated }: StatusBadgesProps): ReactNode {
  return (
    <>
      {trace.status === 'error' && <Badge tone="bad">{countedExactly(trace.errorCount, 'failed span')}</Badge>}
      {running && <Badge tone="accent">running</Badge>}
      {truncated && (
        <Badge tone="warn" title="The trace exceeds the response limit. Some spans are missing or have no content.">
          truncated
        </Badge>
      )}
    </>
  );
}
