import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { failureOf } from '../../api/failure-of.ts';
import { tracePayloadsQuery } from '../../api/traces.ts';
import type { WholeOutline } from '../../api/parts.ts';
import { ValueView } from '../../content/value-view.tsx';
import { Badge } from '../../design/badge.tsx';
import { Failure, Skeleton } from '../../design/states.tsx';
import { Visible, VisibleLine } from '../../design/visible.tsx';
import { useProject } from '../../frame/project-context.ts';
import { SessionLink, TracesLink, UserLink } from '../../frame/trace-links.tsx';
import { FailedSpans } from '../../content/error-box.tsx';
import { Annotate } from './annotate.tsx';
import { CopiedId } from './copied-id.tsx';
import { Facts } from './facts.tsx';
import { OutcomeList } from './outcome-list.tsx';

/** Of the trace itself: failed spans, fields, scores and content of the trace. */
export function TraceOverview({ detail, onSelect }: { detail: WholeOutline; onSelect(spanId: string): void }): ReactNode {
  const { trace, spans, scores, outcomes } = detail;
  return (
    <section aria-label="Trace" className="scroll-thin flex h-full flex-col gap-3 overflow-auto p-3">
      <FailedSpans spans={spans} onSelect={onSelect} />
      <Facts
        facts={[
          ['Session', trace.sessionId && <SessionLink key="s" sessionId={trace.sessionId} />],
          ['User', trace.userId && <UserLink key="u" userId={trace.userId} />],
          [
            'Environment',
            trace.environment && <TracesLink key="e" filter={{ environment: trace.environment }} text={trace.environment} />,
          ],
          ['Release', trace.release && <TracesLink key="r" filter={{ release: trace.release }} text={trace.release} />],
          ['Trace ID', <CopiedId key="t" id={trace.traceId} what="trace ID" />],
        ]}
      />
      {trace.tags.length > 0 && (
        <div className="flex flex-wrap gap-1">
          {trace.tags.map((tag) => (
            <Badge key={tag}>
              <VisibleLine text={tag} />
            </Badge>
          ))}
        </div>
      )}
      <OutcomeList outcomes={outcomes} />
      <Annotate
        traceId={trace.traceId}
        spanId={null}
        scores={scores.filter(({ spanId }) => spanId === null)}
        ofSpans={scores.filter(({ spanId }) => spanId !== null)}
        spanName={(wanted) => spans.find(({ spanId }) => spanId === wanted)?.name ?? wanted}
        onSpan={onSelect}
      />
      <TraceContent trace={trace} spans={spans} onSelect={onSelect} />
    </section>
  );
}

const noPrevious = { previous: null };

interface TraceContentProps extends Pick<WholeOutline, 'trace' | 'spans'> {
  onSelect(spanId: string): void;
}

function TraceContent({ trace, spans, onSelect }: TraceContentProps): ReactNode {
  const { projectId } = useProject();
  const query = useQuery(tracePayloadsQuery(projectId, trace.traceId));
  if (failureOf(query)) return <Failure error={query.error} onRetry={() => void query.refetch()} />;
  if (!query.data) return <Skeleton className="h-24" />;
  const { input, output, metadata } = query.data;
  return (
    <>
      {output !== null && <ValueView title="Output" value={output} />}
      <TakenFrom spanId={trace.outputFrom} {...{ spans, onSelect }} />
      {input !== null && <ValueView title="Input" value={input} history={noPrevious} />}
      <TakenFrom spanId={trace.inputFrom} {...{ spans, onSelect }} />
      {metadata !== null && <ValueView title="Metadata" value={metadata} />}
      {input === null && output === null && <p className="text-ink-faint">No input or output recorded.</p>}
    </>
  );
}

/** The call whose input or output stands for that of the trace. */
export function TakenFrom({ spanId, spans, onSelect }: { spanId: string | null } & Omit<TraceContentProps, 'trace'>): ReactNode {
  const span = spans.find((one) => one.spanId === spanId);
  if (!span) return null;
  return (
    <p className="-mt-2 text-2xs text-ink-faint">
      From{' '}
      <button type="button" onClick={() => onSelect(span.spanId)} className="font-medium text-accent hover:underline">
        <Visible text={span.name} />
      </button>
    </p>
  );
}
