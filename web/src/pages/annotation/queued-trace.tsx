import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { ArrowLeft, ArrowRight, ExternalLink } from 'lucide-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { traceQuery } from '../../api/traces.ts';
import type { TraceDetail } from '../../api/wire.ts';
import { ConversationView } from '../../content/conversation-view.tsx';
import { FailedSpans } from '../../content/error-box.tsx';
import { Key, ScoreForm } from '../../content/score-form.tsx';
import { ScoreList } from '../../content/score-list.tsx';
import { Button } from '../../design/button.tsx';
import { Duration, Moment, Usd } from '../../design/figures.tsx';
import { Failure, PageSkeleton } from '../../design/states.tsx';
import { usePageKeys } from '../../design/use-page-keys.ts';
import { Visible } from '../../design/visible.tsx';
import { visibleText } from '../../format/visible-text.ts';
import { useNow } from '../../frame/use-now.ts';
import { useProject } from '../../frame/project-context.ts';
import { pages } from '../../paths.ts';
import { NextTrace } from './next-trace.tsx';
import { annotationId } from './search.ts';
import type { AnnotationSearch, Position } from './search.ts';
import { useNext } from './use-next.ts';

interface QueuedTraceProps {
  search: AnnotationSearch;
  evaluator: string;
  at: Position;
  mayScore: boolean;
  onShow(at: Position, change?: Partial<AnnotationSearch>, replace?: boolean): void;
  onChange(change: Partial<AnnotationSearch>): void;
}

/** The current trace of the queue. Prefetches the next one. */
export function QueuedTrace({ search, evaluator, at, mayScore, onShow, onChange }: QueuedTraceProps): ReactNode {
  const { projectId, user } = useProject();
  const query = useQuery(traceQuery(projectId, at.traceId));
  const nowMs = useNow(search);
  const next = useNext(projectId, search, evaluator, at, nowMs);
  // True after the viewer continued before the next trace was known.
  const [leaving, setLeaving] = useState(false);
  const goOn = (change: Partial<AnnotationSearch> = {}) => {
    if (next.data?.kind === 'trace') onShow(next.data.at, change);
    else {
      onShow(at, change, true);
      setLeaving(true);
    }
  };
  const back = () => history.back();
  usePageKeys({ n: () => goOn(), b: back });
  if (leaving) return <NextTrace {...{ search, evaluator, onChange }} from={at} onFound={(found) => onShow(found)} />;
  if (!query.data) {
    return query.error ? (
      <Failure error={query.error} onRetry={() => void query.refetch()} />
    ) : (
      <div className="p-4">
        <PageSkeleton />
      </div>
    );
  }
  const { trace, scores, spans } = query.data;
  return (
    <div className="flex min-h-0 flex-1 flex-col lg:grid lg:grid-cols-[minmax(0,1fr)_23rem]">
      <div className="scroll-thin min-h-0 overflow-auto p-4 max-lg:flex-1" tabIndex={0} role="group" aria-label="Trace">
        <div className="mx-auto flex max-w-4xl flex-col gap-3">
          <TraceLine trace={trace} />
          <Failed {...{ spans }} traceId={trace.traceId} />
          <ConversationView input={trace.input} output={trace.output} />
        </div>
      </div>
      {/* Focusable: not every browser focuses a clicked button. */}
      <aside
        id={annotationId}
        tabIndex={-1}
        aria-label="Annotation"
        className="scroll-thin flex min-h-0 flex-col gap-3 overflow-auto border-line max-lg:max-h-1/2 max-lg:shrink-0 max-lg:border-t lg:border-l bg-surface p-3 outline-none"
      >
        <h2 className="truncate text-ink-soft" title={visibleText(evaluator)}>
          {mayScore ? 'Your score:' : 'Scores:'} <Visible text={evaluator} className="font-semibold text-ink" />
        </h2>
        {mayScore ? (
          <ScoreForm
            {...{ projectId, scores }}
            userId={user.id}
            traceId={trace.traceId}
            spanId={null}
            slug={evaluator}
            style={search.as ?? 'verdict'}
            keys
            onRecorded={() => goOn({ done: String(Number(search.done ?? 0) + 1) })}
          />
        ) : (
          <p className="text-ink-soft">
            Scoring requires the permission <code className="font-mono font-semibold text-ink">evaluations:manage</code>.
          </p>
        )}
        <div className="grid grid-cols-2 gap-2">
          <Button look="quiet" repeatable onClick={back} aria-keyshortcuts="b">
            <ArrowLeft aria-hidden />
            Back
            <Key>B</Key>
          </Button>
          <Button look="quiet" repeatable onClick={() => goOn()} aria-keyshortcuts="n">
            {mayScore ? 'Skip' : 'Next'}
            <Key>N</Key>
            <ArrowRight aria-hidden />
          </Button>
        </div>
        <ScoreList scores={scores} />
      </aside>
    </div>
  );
}

function TraceLine({ trace }: { trace: TraceDetail['trace'] }): ReactNode {
  const { at } = useProject();
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1 text-ink-soft">
      <h2 className="min-w-0 truncate text-base font-semibold text-ink">
        <Visible text={trace.name ?? trace.traceId} />
      </h2>
      <Moment iso={trace.startTime} />
      <Duration ms={trace.durationMs} />
      <Usd value={trace.costUsd} unpriced={trace.unpricedCalls} />
      <Link {...pages.trace(at, trace.traceId)} className="ml-auto flex items-center gap-1 text-accent hover:underline">
        View trace
        <ExternalLink className="size-3.5" aria-hidden />
      </Link>
    </div>
  );
}

function Failed({ spans, traceId }: { spans: TraceDetail['spans']; traceId: string }): ReactNode {
  const { at } = useProject();
  const navigate = useNavigate();
  return <FailedSpans spans={spans} onSelect={(span) => void navigate({ ...pages.trace(at, traceId), search: { span } })} />;
}
