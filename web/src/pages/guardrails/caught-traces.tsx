import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { failureOf } from '../../api/failure-of.ts';
import { newestTracesQuery } from '../../api/traces.ts';
import type { ListedTrace } from '../../api/parts.ts';
import type { Guardrail } from '../../api/service.ts';
import { TraceText } from '../../content/trace-text.tsx';
import { Badge } from '../../design/badge.tsx';
import { Card } from '../../design/card.tsx';
import { Moment } from '../../design/figures.tsx';
import { Failure, Skeleton } from '../../design/states.tsx';
import { Visible, VisibleLine } from '../../design/visible.tsx';
import { useProject } from '../../frame/project-context.ts';
import { pages } from '../../paths.ts';
import { linkRange, rangeRequest } from '../../range.ts';
import type { RangeSearch } from '../../range.ts';
import { triggeredText } from './activity-figures.ts';

const maxShown = 10;

interface CaughtTracesProps {
  guardrail: Guardrail;
  range: RangeSearch;
  nowMs: number;
}

/** The newest traces in which a guardrail triggered: those with a check span whose output says so. */
export function CaughtTraces({ guardrail, range, nowMs }: CaughtTracesProps): ReactNode {
  const { at, projectId } = useProject();
  const q = triggeredText(guardrail);
  const query = useQuery(newestTracesQuery(projectId, { ...rangeRequest(range, nowMs), q }, maxShown));
  const traces = query.data?.traces;
  return (
    <Card
      title="Caught in traces"
      aside={
        <Link {...pages.traces(at)} search={{ ...linkRange(range), q }} className="text-accent hover:underline">
          View all
        </Link>
      }
    >
      {failureOf(query) ? (
        <Failure error={query.error} onRetry={() => void query.refetch()} />
      ) : !traces ? (
        <Skeleton className="m-3 h-24" />
      ) : traces.length === 0 ? (
        <p className="px-3 py-4 text-ink-faint">
          No traces in this time range. Send <code className="font-mono">traceId</code> with a check to record it in the trace.
        </p>
      ) : (
        <ul>
          {traces.map((trace) => (
            <TraceRow key={trace.traceId} trace={trace} />
          ))}
        </ul>
      )}
    </Card>
  );
}

function TraceRow({ trace }: { trace: ListedTrace }): ReactNode {
  const { at } = useProject();
  const { traceId, name, environment, startTime } = trace;
  return (
    <li className="flex items-center gap-2 border-t border-line px-3 py-1.5 first:border-t-0">
      <span className="min-w-0 flex-1">
        <Link {...pages.trace(at, traceId)} className="block font-medium hover:text-accent hover:underline">
          <VisibleLine text={name ?? traceId} />
        </Link>
        <span className="block text-xs">
          <TraceText trace={trace} />
        </span>
      </span>
      {environment !== null && (
        <Badge shrink>
          <Visible text={environment} />
        </Badge>
      )}
      <span className="text-xs text-ink-faint">
        <Moment ago iso={startTime} />
      </span>
    </li>
  );
}
