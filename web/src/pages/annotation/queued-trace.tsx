import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { ArrowLeft, ArrowRight, ExternalLink } from 'lucide-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { useRecordScore } from '../../api/scores.ts';
import { traceQuery } from '../../api/traces.ts';
import type { TraceDetail } from '../../api/service.ts';
import { ConversationView } from '../../content/conversation-view.tsx';
import { FailedSpans } from '../../content/error-box.tsx';
import { Key } from '../../content/score-form.tsx';
import { ScoreList } from '../../content/score-list.tsx';
import { Button } from '../../design/button.tsx';
import { Duration, Moment, Usd } from '../../design/figures.tsx';
import { Failure, PageSkeleton } from '../../design/states.tsx';
import { usePageKeys } from '../../design/use-page-keys.ts';
import { usePainted } from '../../design/use-painted.ts';
import { Visible } from '../../design/visible.tsx';
import { useNow } from '../../frame/use-now.ts';
import { useProject } from '../../frame/project-context.ts';
import { pages } from '../../paths.ts';
import { NextTrace } from './next-trace.tsx';
import { annotationId } from './search.ts';
import type { AnnotationSearch, Position } from './search.ts';
import { shownScores } from './shown-scores.ts';
import { useNext } from './use-next.ts';
import { YourScore } from './your-score.tsx';

interface QueuedTraceProps {
  search: AnnotationSearch;
  evaluator: string;
  at: Position;
  mayScore: boolean;
  onShow(at: Position, change?: Partial<AnnotationSearch>, replace?: boolean): void;
  onChange(change: Partial<AnnotationSearch>): void;
}

/** Steps of the queue from the trace at a position. */
interface Steps {
  /** A score of the trace was saved; the next trace is not shown yet. */
  saved: boolean;
  /** The viewer continued before the next trace was known. */
  leaving: boolean;
}

const arrived: Steps = { saved: false, leaving: false };

/**
 * The current trace of the queue. Prefetches the next one. The form stays mounted from trace to trace, so that a comment can be typed
 * directly after a verdict. Other keys are ignored until the trace has been painted.
 */
export function QueuedTrace({ search, evaluator, at, mayScore, onShow, onChange }: QueuedTraceProps): ReactNode {
  const { projectId } = useProject();
  const query = useQuery(traceQuery(projectId, at.traceId));
  const next = useNext(projectId, search, evaluator, at, useNow(search));
  const record = useRecordScore(projectId);
  const [steps, setSteps] = useState({ of: at.traceId, ...arrived });
  if (steps.of !== at.traceId) setSteps({ of: at.traceId, ...arrived });
  const { saved, leaving } = steps;
  const since = usePainted(leaving || query.data !== undefined || query.error ? `${at.traceId} ${leaving}` : null);
  const isOver = next.data?.kind === 'end' || next.error !== null;
  const moving = record.isPending || since === null || ((saved || leaving) && !isOver);
  const goOn = (change: Partial<AnnotationSearch> = {}, recorded = false) => {
    const known = next.data?.kind === 'trace' ? next.data.at : null;
    setSteps({ of: at.traceId, saved: recorded, leaving: known === null });
    if (known === null) onShow(at, change, true);
    else onShow(known, change);
  };
  const back = () => history.back();
  usePageKeys(moving ? {} : { n: () => goOn(), b: back }, since ?? 0);
  const finder = <NextTrace {...{ search, evaluator, onChange }} from={at} onFound={(found) => onShow(found)} />;
  if (leaving && isOver) return finder;
  if (query.error && !query.data) return <Failure error={query.error} onRetry={() => void query.refetch()} />;
  return (
    <div className="flex min-h-0 flex-1 flex-col lg:grid lg:grid-cols-[minmax(0,1fr)_23rem]">
      {leaving ? finder : query.data ? <Content key={at.traceId} {...query.data} /> : <Waiting />}
      {/* Focusable: not every browser focuses a clicked button. */}
      <aside
        id={annotationId}
        tabIndex={-1}
        aria-label="Annotation"
        aria-busy={moving}
        className="scroll-thin flex min-h-0 flex-col gap-3 overflow-auto border-line max-lg:max-h-1/2 max-lg:shrink-0 max-lg:border-t lg:border-l bg-surface p-3 outline-none"
      >
        <YourScore
          {...{ evaluator, mayScore, record }}
          traceId={at.traceId}
          scores={query.data?.scores ?? []}
          style={search.as ?? 'verdict'}
          queue={{ since: saved || leaving ? null : since, leaving: leaving && !saved }}
          onRecorded={() => goOn({ done: String(Number(search.done ?? 0) + 1) }, true)}
        />
        <div className="grid grid-cols-2 gap-2">
          <Button look="quiet" repeatable disabled={record.isPending} onClick={back} aria-keyshortcuts="b">
            <ArrowLeft aria-hidden />
            Back
            <Key>B</Key>
          </Button>
          <Button look="quiet" repeatable disabled={record.isPending} onClick={() => goOn()} aria-keyshortcuts="n">
            {mayScore ? 'Skip' : 'Next'}
            <Key>N</Key>
            <ArrowRight aria-hidden />
          </Button>
        </div>
        {!leaving && query.data && <TraceScores {...query.data} {...{ evaluator, mayScore }} />}
      </aside>
    </div>
  );
}

function Waiting(): ReactNode {
  return (
    <div className="p-4 max-lg:flex-1">
      <PageSkeleton />
    </div>
  );
}

function Content({ trace, spans }: TraceDetail): ReactNode {
  return (
    <div className="scroll-thin min-h-0 overflow-auto p-4 max-lg:flex-1" tabIndex={0} role="group" aria-label="Trace">
      <div className="mx-auto flex max-w-4xl flex-col gap-3">
        <TraceLine trace={trace} />
        <Failed {...{ spans }} traceId={trace.traceId} />
        <ConversationView input={trace.input} output={trace.output} />
      </div>
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
      <Usd value={trace.costUsd} unpriced={trace.unpricedCalls} partly={trace.partlyPricedCalls} />
      <Link {...pages.trace(at, trace.traceId)} className="ml-auto flex items-center gap-1 text-accent hover:underline">
        View trace
        <ExternalLink className="size-3.5" aria-hidden />
      </Link>
    </div>
  );
}

function TraceScores({
  trace: { traceId },
  spans,
  scores,
  evaluator,
  mayScore,
}: TraceDetail & Pick<QueuedTraceProps, 'evaluator' | 'mayScore'>): ReactNode {
  const { at, user } = useProject();
  const { shown, hidden } = shownScores(scores, { evaluator, userId: user.id, mayScore });
  const navigate = useNavigate();
  return (
    <>
      <ScoreList
        scores={shown.filter(({ spanId }) => spanId === null)}
        ofSpans={shown.filter(({ spanId }) => spanId !== null)}
        spanName={(wanted) => spans.find(({ spanId }) => spanId === wanted)?.name ?? wanted}
        onSpan={(span) => void navigate({ ...pages.trace(at, traceId), search: { span } })}
      />
      {hidden > 0 && (
        <p className="text-xs text-ink-faint">
          {hidden === 1 ? 'One other score is' : `${hidden} other scores are`} shown once you have scored.
        </p>
      )}
    </>
  );
}

function Failed({ spans, traceId }: { spans: TraceDetail['spans']; traceId: string }): ReactNode {
  const { at } = useProject();
  const navigate = useNavigate();
  return <FailedSpans spans={spans} onSelect={(span) => void navigate({ ...pages.trace(at, traceId), search: { span } })} />;
}
