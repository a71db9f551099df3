import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { failureOf } from '../../api/failure-of.ts';
import { tracePayloadsQuery } from '../../api/traces.ts';
import type { TraceOutline } from '../../api/wire.ts';
import { ValueView } from '../../content/value-view.tsx';
import { Badge } from '../../design/badge.tsx';
import { Failure, Skeleton } from '../../design/states.tsx';
import { VisibleLine } from '../../design/visible.tsx';
import { useProject } from '../../frame/project-context.ts';
import { SessionLink, TracesLink } from '../../frame/trace-links.tsx';
import { FailedSpans } from '../../content/error-box.tsx';
import { Annotate } from './annotate.tsx';
import { Facts } from './facts.tsx';
import { OutcomeList } from './outcome-list.tsx';

/** Shown while no span is selected: failed spans, fields, scores and content of the trace. */
export function TraceOverview({ detail, onSelect }: { detail: TraceOutline; onSelect(spanId: string): void }): ReactNode {
  const { trace, spans, scores, outcomes } = detail;
  return (
    <section aria-label="Trace" className="scroll-thin flex h-full flex-col gap-3 overflow-auto p-3">
      <FailedSpans spans={spans} onSelect={onSelect} />
      <Facts
        facts={[
          ['Session', trace.sessionId && <SessionLink key="s" sessionId={trace.sessionId} />],
          ['User', trace.userId && <TracesLink key="u" filter={{ user: trace.userId }} text={trace.userId} />],
          [
            'Environment',
            trace.environment && <TracesLink key="e" filter={{ environment: trace.environment }} text={trace.environment} />,
          ],
          ['Release', trace.release && <TracesLink key="r" filter={{ release: trace.release }} text={trace.release} />],
          ['Trace ID', <VisibleLine key="t" text={trace.traceId} />],
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
      <TraceContent traceId={trace.traceId} />
    </section>
  );
}

function TraceContent({ traceId }: { traceId: string }): ReactNode {
  const { projectId } = useProject();
  const query = useQuery(tracePayloadsQuery(projectId, traceId));
  if (failureOf(query)) return <Failure error={query.error} onRetry={() => void query.refetch()} />;
  if (!query.data) return <Skeleton className="h-24" />;
  const { input, output, metadata } = query.data;
  return (
    <>
      {input !== null && <ValueView title="Input" value={input} />}
      {output !== null && <ValueView title="Output" value={output} />}
      {metadata !== null && <ValueView title="Metadata" value={metadata} />}
      {input === null && output === null && <p className="text-ink-faint">Select a span to see its details.</p>}
    </>
  );
}
