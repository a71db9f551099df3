import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { spansQuery } from '../../api/traces.ts';
import type { OutlineSpan, TraceOutline, TraceSpan } from '../../api/wire.ts';
import { useProject } from '../../frame/project-context.ts';
import { spansAround } from './spans-around.ts';

/** A span with its payloads, and what the links between tool calls and runs need. */
export interface LoadedSpan {
  /** null while loading. */
  span: TraceSpan | null;
  /** All spans of the trace; those near the selected one with their payloads. */
  spans: readonly TraceSpan[];
  error: Error | null;
  retry(): void;
}

/** Loads the payloads of the selected span. For spans that call or run tools it loads those nearby as well. */
export function useSpanPayloads({ trace, spans }: TraceOutline, selected: OutlineSpan | null): LoadedSpan {
  const { projectId } = useProject();
  const own = useQuery({
    ...spansQuery(projectId, trace.traceId, selected ? [selected.spanId] : [], versionOf(selected ? [selected] : [])),
    enabled: selected !== null,
  });
  const around = useMemo(() => spansAround(spans, selected), [spans, selected]);
  const nearby = useQuery({
    ...spansQuery(
      projectId,
      trace.traceId,
      around.map(({ spanId }) => spanId),
      versionOf(around),
    ),
    enabled: around.length > 0,
  });
  const all = useMemo(() => {
    const loaded = new Map([...(nearby.data?.spans ?? []), ...(own.data?.spans ?? [])].map((span) => [span.spanId, span]));
    return loaded.size === 0 ? spans : spans.map((span) => loaded.get(span.spanId) ?? span);
  }, [spans, nearby.data, own.data]);
  return {
    span: own.data?.spans.find(({ spanId }) => spanId === selected?.spanId) ?? null,
    spans: all,
    error: own.error,
    retry: () => void own.refetch(),
  };
}

/** A span that ends or fails has other payloads than while it ran. */
function versionOf(spans: readonly OutlineSpan[]): string {
  return spans.map(({ endTime, status }) => `${endTime ?? ''} ${status ?? ''}`).join();
}
