import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Maximize2, X } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { ReactNode } from 'react';
import { commentsQuery } from '../../api/comments.ts';
import { failureOf } from '../../api/failure-of.ts';
import { traceOutlineQuery } from '../../api/traces.ts';
import { Badge } from '../../design/badge.tsx';
import { buttonClass, IconButton } from '../../design/button.tsx';
import { Failure, PageSkeleton } from '../../design/states.tsx';
import { usePageKeys } from '../../design/use-page-keys.ts';
import { countedExactly } from '../../format/number-format.ts';
import { visibleText } from '../../format/visible-text.ts';
import { useProject } from '../../frame/project-context.ts';
import type { TracePeekProps } from '../../frame/trace-peek.ts';
import { pages } from '../../paths.ts';
import { AddToDataset } from './add-to-dataset.tsx';
import { openComments } from './comment-groups.ts';
import { firstSpan } from './first-span.ts';
import { isRunning, pollIntervalMs } from './running.ts';
import type { SpanView } from './search.ts';
import { TraceBody } from './trace-body.tsx';

/** A trace in a panel beside a list: its tree, and below it the selected span. */
export default function TracePeek({ traceId, span, q, onSpan, onClose }: TracePeekProps): ReactNode {
  const { at, projectId } = useProject();
  const query = useQuery({
    ...traceOutlineQuery(projectId, traceId),
    refetchInterval: ({ state }) => pollIntervalMs(state.data, Date.now()),
  });
  usePageKeys({ Escape: onClose });
  const detail = query.data;
  const title = detail?.trace.name ?? traceId;
  const search = { ...(span === undefined ? {} : { span }), ...(q === undefined ? {} : { q }) };
  return (
    <section
      aria-label="Trace panel"
      className="flex min-h-0 shrink-0 flex-col border-l border-line bg-surface max-lg:fixed max-lg:inset-0 max-lg:z-30 lg:w-[58%]"
    >
      <header className="flex min-h-10 items-center gap-1.5 border-b border-line py-1 pr-1.5 pl-3">
        <h2 className="min-w-0 flex-1 truncate font-semibold" title={visibleText(title)}>
          <bdi>{visibleText(title)}</bdi>
        </h2>
        {detail?.trace.status === 'error' && <Badge tone="bad">{countedExactly(detail.trace.errorCount, 'failed span')}</Badge>}
        {detail && isRunning(detail) && <Badge tone="accent">running</Badge>}
        {detail && (
          <span className="max-sm:hidden">
            <AddToDataset detail={detail} selected={span ?? null} />
          </span>
        )}
        <Link {...pages.trace(at, traceId)} search={search} className={buttonClass()}>
          <Maximize2 aria-hidden />
          Open trace
        </Link>
        <IconButton label="Close the panel (Esc)" onClick={onClose}>
          <X aria-hidden />
        </IconButton>
      </header>
      {failureOf(query) ? (
        <Failure error={query.error} what="Trace" onRetry={() => void query.refetch()} />
      ) : detail ? (
        <Body key={traceId} {...{ span, onSpan, onClose }} detail={detail} asOfMs={query.dataUpdatedAt} query={q ?? ''} />
      ) : (
        <div className="p-3">
          <PageSkeleton />
        </div>
      )}
    </section>
  );
}

type BodyProps = Pick<Parameters<typeof TraceBody>[0], 'detail' | 'asOfMs' | 'query'> &
  Pick<TracePeekProps, 'span' | 'onSpan' | 'onClose'>;

/** What is selected in the panel; the trace itself has no span in the URL. */
interface Selection {
  /** The span in the URL when it was made. */
  of: string | undefined;
  span: string | null;
}

function Body({ detail, asOfMs, query, span, onSpan, onClose }: BodyProps): ReactNode {
  const { projectId } = useProject();
  const written = useQuery(commentsQuery(projectId, detail.trace.traceId));
  const comments = useMemo(() => openComments(written.data ?? []), [written.data]);
  const [chosen, setChosen] = useState<Selection | null>(null);
  const [view, setView] = useState<SpanView>('content');
  const selected = chosen !== null && chosen.of === span ? chosen.span : (span ?? firstSpan(detail));
  return (
    <TraceBody
      {...{ detail, asOfMs, query, selected, view, comments }}
      stacked
      onEscape={onClose}
      onSelect={(spanId) => {
        setChosen({ of: spanId ?? span, span: spanId });
        if (spanId !== null) onSpan(spanId);
      }}
      onView={(spanId, next) => {
        setChosen({ of: spanId, span: spanId });
        setView(next);
        onSpan(spanId);
      }}
    />
  );
}
