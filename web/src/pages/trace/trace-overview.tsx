import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { failureOf } from '../../api/failure-of.ts';
import { tracePayloadsQuery } from '../../api/traces.ts';
import type { TraceOutline } from '../../api/wire.ts';
import { ValueView } from '../../content/value-view.tsx';
import { Badge } from '../../design/badge.tsx';
import { Failure, Skeleton } from '../../design/states.tsx';
import { VisibleLine } from '../../design/visible.tsx';
import { useProject } from '../../frame/project-context.ts';
import { pages } from '../../paths.ts';
import { FailedSpans } from '../../content/error-box.tsx';
import { Annotate } from './annotate.tsx';
import { Facts } from './facts.tsx';

/** Shown while no span is selected: failed spans, fields, scores and content of the trace. */
export function TraceOverview({ detail, onSelect }: { detail: TraceOutline; onSelect(spanId: string): void }): ReactNode {
  const { at } = useProject();
  const { trace, spans, scores } = detail;
  const line = (value: string | null) => value !== null && <VisibleLine text={value} />;
  return (
    <section aria-label="Trace" className="scroll-thin flex h-full flex-col gap-3 overflow-auto p-3">
      <FailedSpans spans={spans} onSelect={onSelect} />
      <Facts
        facts={[
          trace.sessionId === null
            ? null
            : [
                'Session',
                <Link key="s" {...pages.session(at, trace.sessionId)} className="text-accent hover:underline">
                  <VisibleLine text={trace.sessionId} />
                </Link>,
              ],
          ['User', line(trace.userId) || null],
          ['Environment', line(trace.environment) || null],
          ['Release', line(trace.release) || null],
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
