import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { ListedTrace } from '../../api/parts.ts';
import type { Incident } from '../../api/service.ts';
import { newestTracesQuery } from '../../api/traces.ts';
import { TraceText } from '../../content/trace-text.tsx';
import { Card } from '../../design/card.tsx';
import { Duration, Usd } from '../../design/figures.tsx';
import { VisibleLine } from '../../design/visible.tsx';
import { useProject } from '../../frame/project-context.ts';
import { pages } from '../../paths.ts';
import { rowLook } from './row-look.ts';
import { worstTracesRequest } from './search.ts';

/** The worst traces of the window in which the incident opened, with what they were about. */
export function WorstTraces({ incident }: { incident: Incident }): ReactNode {
  const { projectId } = useProject();
  const { sampleTraceIds: ids } = incident;
  const query = newestTracesQuery(projectId, worstTracesRequest(incident), ids.length);
  const { data } = useQuery({ ...query, enabled: ids.length > 0 });
  const known = new Map(data?.traces.map((trace) => [trace.traceId, trace]));
  return (
    <Card title="Worst traces">
      {ids.length === 0 ? (
        <p className="px-3 py-3 text-ink-faint">No traces: the incident is not about single calls, or they name no trace.</p>
      ) : (
        <ol aria-label="Worst traces" className="scroll-thin max-h-96 overflow-auto">
          {ids.map((traceId, index) => (
            <li key={traceId} className={rowLook}>
              <span className="numbers w-5 shrink-0 text-right text-xs text-ink-faint">{index + 1}</span>
              <WorstTrace traceId={traceId} trace={known.get(traceId)} />
            </li>
          ))}
        </ol>
      )}
    </Card>
  );
}

/** One of them; until it is loaded, and once it is deleted, by its ID alone. */
function WorstTrace({ traceId, trace }: { traceId: string; trace: ListedTrace | undefined }): ReactNode {
  const { at } = useProject();
  return (
    <>
      <span className="min-w-0 flex-1">
        <Link {...pages.trace(at, traceId)} className="block font-medium hover:text-accent hover:underline">
          <VisibleLine text={trace?.name ?? traceId} className={trace?.name == null ? 'font-mono text-xs' : ''} />
        </Link>
        <span className="block min-h-4 text-xs">{trace && <TraceText trace={trace} />}</span>
      </span>
      {trace && (
        <span className="numbers flex shrink-0 flex-col items-end text-xs text-ink-soft">
          <Duration ms={trace.durationMs} />
          <Usd value={trace.costUsd} unpriced={trace.unpricedCalls} partly={trace.partlyPricedCalls} />
        </span>
      )}
    </>
  );
}
