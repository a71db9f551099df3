import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { get } from '../../api/client.ts';
import { spansQuery } from '../../api/traces.ts';
import type { OutlineSpan, WholeOutline } from '../../api/parts.ts';
import type { SpanList, TraceSpan } from '../../api/service.ts';
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

/**
 * Loads the payloads of the selected span. For spans that call or run tools it loads those nearby as well, without the
 * selected one a second time.
 */
export function useSpanPayloads({ trace, spans }: WholeOutline, selected: OutlineSpan | null): LoadedSpan {
  const { projectId } = useProject();
  const queryOf = (some: readonly OutlineSpan[]) =>
    spansQuery(
      projectId,
      trace.traceId,
      some.map(({ spanId }) => spanId),
      versionOf(some),
    );
  const ownQuery = queryOf(selected ? [selected] : []);
  const around = useMemo(() => spansAround(spans, selected), [spans, selected]);
  const hasOthers = around.length > 1;
  const nearby = useQuery({
    ...queryOf(around),
    // The selected span comes from its own request, which is sent at the same time; the answer holds both for the neighbours.
    queryFn: async ({ client, signal }): Promise<SpanList> => {
      const others = around.filter((span) => span !== selected).map(({ spanId }) => spanId);
      const [own, rest] = await Promise.all([
        client.fetchQuery(ownQuery),
        get('/v1/projects/{id}/traces/{traceId}/spans', { id: projectId, traceId: trace.traceId, spanId: others }, signal),
      ]);
      return { ...rest, spans: [...own.spans, ...rest.spans] };
    },
    enabled: hasOthers,
  });
  // Of a truncated answer, spans may lack their payloads.
  const complete = nearby.data?.truncated === true ? null : nearby.data;
  const isSelected = ({ spanId }: TraceSpan) => spanId === selected?.spanId;
  const known = complete?.spans.find(isSelected);
  const own = useQuery({ ...ownQuery, enabled: selected !== null && known === undefined });
  const all = useMemo(() => {
    const loaded = new Map([...(nearby.data?.spans ?? []), ...(own.data?.spans ?? [])].map((span) => [span.spanId, span]));
    return loaded.size === 0 ? spans : spans.map((span) => loaded.get(span.spanId) ?? span);
  }, [spans, nearby.data, own.data]);
  return {
    span: own.data?.spans.find(isSelected) ?? known ?? null,
    spans: all,
    error: own.error,
    retry: () => {
      void own.refetch();
      if (hasOthers) void nearby.refetch();
    },
  };
}

/** A span that ends or fails has other payloads than while it ran. */
function versionOf(spans: readonly OutlineSpan[]): string {
  return spans.map(({ endTime, status }) => `${endTime ?? ''} ${status ?? ''}`).join();
}
