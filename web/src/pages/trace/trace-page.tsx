import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo, useState } from 'react';
import type { ReactNode } from 'react';
import { commentsQuery } from '../../api/comments.ts';
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
import { CommentsButton } from './comments-button.tsx';
import { openComments } from './comment-groups.ts';
import { CommentsPanel } from './comments-panel.tsx';
import { CompareWith } from './compare-with.tsx';
import { DeleteTrace } from './delete-trace.tsx';
import { firstSpan } from './first-span.ts';
import { TraceNeighbours } from './neighbours.tsx';
import { pollIntervalMs, isRunning } from './running.ts';
import type { SpanView } from './search.ts';
import { ShareTrace } from './share-trace.tsx';
import { TraceBody } from './trace-body.tsx';
import { TraceFacts } from './trace-facts.tsx';

const commentsPollMs = 30_000;

/** Whether the comments are open. */
const isCommenting = (comments: 'open' | undefined, comment: string | undefined) => comments === 'open' || comment !== undefined;

/** One trace. */
export default function TracePage(): ReactNode {
  const { at, projectId } = useProject();
  const { traceId } = useParams({ from: '/o/$org/p/$project/traces/$traceId' });
  const { span, view = 'content', q, comments, comment } = useSearch({ from: '/o/$org/p/$project/traces/$traceId' });
  const navigate = useNavigate();
  const query = useQuery({
    ...traceOutlineQuery(projectId, traceId),
    refetchInterval: ({ state }) => pollIntervalMs(state.data, Date.now()),
  });
  const written = useQuery({
    ...commentsQuery(projectId, traceId),
    refetchInterval: isCommenting(comments, comment) ? commentsPollMs : false,
  });
  const counts = useMemo(() => openComments(written.data ?? []), [written.data]);
  const [writing, setWriting] = useState(false);
  const select = useCallback(
    (spanId: string | null) =>
      void navigate({
        to: '.',
        search: ({ q: text, view: shown, ...beside }) => ({
          q: text,
          ...(spanId === null ? { view: 'trace' } : { view: shown === 'trace' ? undefined : shown, span: spanId }),
          // The shown comment is that of another span.
          comments: isCommenting(beside.comments, beside.comment) ? 'open' : undefined,
        }),
        replace: true,
      }),
    [navigate],
  );
  const openComment = useCallback(
    (isOpen: boolean) => {
      setWriting(isOpen);
      void navigate({
        to: '.',
        search: ({ comments: _open, comment: _shown, ...rest }) => ({ ...rest, comments: isOpen ? 'open' : undefined }),
        replace: true,
      });
    },
    [navigate],
  );
  const show = useCallback(
    (spanId: string, next: SpanView) =>
      void navigate({
        to: '.',
        // With the span, which a reload of a running trace may choose anew.
        search: ({ span: _span, view: _view, ...rest }) => ({
          ...rest,
          span: spanId,
          view: next === 'content' ? undefined : next,
        }),
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
  // A link to a comment may leave its span out.
  const linked = span === undefined ? written.data?.find(({ id }) => id === comment) : undefined;
  const selected = linked ? linked.spanId : (span ?? (view === 'trace' ? null : firstSpan(query.data)));
  const isOpen = isCommenting(comments, comment);
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
          <CommentsButton counts={counts} isOpen={isOpen} onOpen={openComment} />
          <CopyButton text={() => location.href} label="Copy link" />
          <CompareWith trace={trace} />
          <AddToDataset detail={query.data} selected={selected} />
          <ShareTrace traceId={traceId} />
          <DeleteTrace traceId={traceId} />
        </>
      }
    >
      <div className="flex min-h-0 min-w-0 flex-1">
        <TraceBody
          key={traceId}
          detail={query.data}
          asOfMs={query.dataUpdatedAt}
          selected={selected}
          view={view === 'trace' ? 'content' : view}
          query={q ?? ''}
          comments={counts}
          onSelect={select}
          onView={show}
          onEscape={() => (isOpen ? openComment(false) : select(null))}
        />
        {isOpen && (
          <CommentsPanel
            detail={query.data}
            query={written}
            selected={selected}
            comment={comment ?? null}
            writing={writing}
            onSelect={select}
            onClose={() => openComment(false)}
          />
        )}
      </div>
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
