import { infiniteQueryOptions, queryOptions, useQueryClient } from '@tanstack/react-query';
import { get, send, sendText } from './client.ts';
import { useWrite } from './use-write.ts';
import type { TraceDetail, TraceOutline } from './service.ts';
import type { ListSessionsQuery, ListTracesQuery, OutlineSpan, TraceCountsQuery, WholeOutline } from './parts.ts';

const pageSize = 100;

/** The traces of a project, paginated. `live` polls for new traces. */
export function tracesQuery(projectId: string, query: Omit<ListTracesQuery, 'cursor' | 'limit'>, live = false) {
  return infiniteQueryOptions({
    queryKey: ['traces', projectId, query, live],
    queryFn: ({ pageParam, signal }) =>
      get('/v1/projects/{id}/traces', { id: projectId, ...query, limit: pageSize, cursor: pageParam || undefined }, signal),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
    ...(live ? { refetchInterval: 2_000, staleTime: 0 } : {}),
  });
}

/** The newest traces of a list, at most `limit`. */
export function newestTracesQuery(projectId: string, query: Omit<ListTracesQuery, 'cursor' | 'limit'>, limit: number) {
  return queryOptions({
    queryKey: ['traces', projectId, query, 'newest', limit],
    queryFn: ({ signal }) => get('/v1/projects/{id}/traces', { id: projectId, ...query, limit }, signal),
  });
}

/** The number of traces over time, of a list with the same filters. `live` polls. */
export function traceCountsQuery(projectId: string, query: TraceCountsQuery, live = false) {
  return queryOptions({
    queryKey: ['trace-counts', projectId, query, live],
    queryFn: ({ signal }) => get('/v1/projects/{id}/trace-counts', { id: projectId, ...query }, signal),
    ...(live ? { refetchInterval: 10_000, staleTime: 0 } : {}),
  });
}

/** One trace with its spans. No structural sharing: a trace can be large. */
export function traceQuery(projectId: string, traceId: string) {
  return queryOptions({
    queryKey: ['trace', projectId, traceId],
    queryFn: ({ signal }) =>
      get('/v1/projects/{id}/traces/{traceId}', { id: projectId, traceId }, signal) as Promise<TraceDetail>,
    structuralSharing: false,
    gcTime: 60_000,
  });
}

/** One trace without the payloads of its spans and its own. */
export function traceOutlineQuery(projectId: string, traceId: string) {
  return queryOptions({
    queryKey: ['trace', projectId, traceId, 'outline'],
    queryFn: async ({ signal }): Promise<WholeOutline> => {
      const parameters = { id: projectId, traceId, payloads: 'preview' } as const;
      const sent = (await get('/v1/projects/{id}/traces/{traceId}', parameters, signal)) as TraceOutline;
      return { ...sent, spans: sent.spans.map((span) => ({ ...absentFields, traceId, ...span }) as OutlineSpan) };
    },
    structuralSharing: false,
    gcTime: 60_000,
  });
}

/** The fields that an outline leaves out of a span where they are null. */
export const absentFields = {
  parentSpanId: null,
  endTime: null,
  durationMs: null,
  model: null,
  requestModel: null,
  provider: null,
  agentName: null,
  operation: null,
  usage: null,
  costUsd: null,
  timeToFirstTokenMs: null,
  status: null,
  errorCode: null,
  errorMessage: null,
  sessionId: null,
  userId: null,
  environment: null,
  release: null,
  service: null,
  tags: [],
  promptName: null,
  promptVersion: null,
  input: null,
  output: null,
  metadata: null,
  attributes: null,
  inputPreview: null,
  outputPreview: null,
} satisfies Partial<OutlineSpan>;

/** The input, output and metadata of a trace. */
export function tracePayloadsQuery(projectId: string, traceId: string) {
  return queryOptions({
    queryKey: ['trace', projectId, traceId, 'payloads'],
    queryFn: ({ signal }) => get('/v1/projects/{id}/traces/{traceId}/payloads', { id: projectId, traceId }, signal),
    structuralSharing: false,
    gcTime: 60_000,
  });
}

/**
 * Spans with their payloads: of the first in tree order whole, of the others as far as they fit into one response.
 *
 * @param version changes when the spans change
 */
export function spansQuery(projectId: string, traceId: string, spanIds: readonly string[], version: string) {
  return queryOptions({
    queryKey: ['trace', projectId, traceId, 'spans', spanIds, version],
    queryFn: ({ signal }) => get('/v1/projects/{id}/traces/{traceId}/spans', { id: projectId, traceId, spanId: spanIds }, signal),
    structuralSharing: false,
    gcTime: 60_000,
  });
}

/** The sources of a span's fields. */
export function spanMappingQuery(projectId: string, traceId: string, spanId: string) {
  return queryOptions({
    queryKey: ['span-mapping', projectId, traceId, spanId],
    queryFn: ({ signal }) =>
      get('/v1/projects/{id}/traces/{traceId}/spans/{spanId}/mapping', { id: projectId, traceId, spanId }, signal),
    // No structural sharing: a value can be large.
    structuralSharing: false,
    gcTime: 60_000,
  });
}

/** Two traces with their spans in pairs. No structural sharing: a comparison can be large. */
export function traceComparisonQuery(projectId: string, a: string, b: string) {
  return queryOptions({
    queryKey: ['trace-comparison', projectId, a, b],
    queryFn: ({ signal }) => get('/v1/projects/{id}/trace-comparison', { id: projectId, a, b }, signal),
    structuralSharing: false,
    gcTime: 60_000,
  });
}

/** Deletes a trace. Requires `datasets:manage`. */
export function useDeleteTrace(projectId: string) {
  const client = useQueryClient();
  return useWrite({
    mutationFn: (traceId: string) => send('DELETE', '/v1/projects/{id}/traces/{traceId}', { id: projectId, traceId }),
    onSuccess: async (_, traceId) => {
      client.removeQueries({ queryKey: ['trace', projectId, traceId] });
      await client.invalidateQueries({ queryKey: ['traces', projectId] });
    },
  });
}

/** The sessions of a project, most recently active first. */
export function sessionsQuery(projectId: string, query: Omit<ListSessionsQuery, 'cursor' | 'limit'>) {
  return infiniteQueryOptions({
    queryKey: ['sessions', projectId, query],
    queryFn: ({ pageParam, signal }) =>
      get('/v1/projects/{id}/sessions', { id: projectId, ...query, limit: pageSize, cursor: pageParam || undefined }, signal),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
  });
}

/** One session with its traces, oldest first. */
export function sessionDetailQuery(projectId: string, sessionId: string) {
  return queryOptions({
    queryKey: ['session-detail', projectId, sessionId],
    queryFn: ({ signal }) => get('/v1/projects/{id}/sessions/{sessionId}', { id: projectId, sessionId }, signal),
  });
}

/** What would be stored of an OTLP JSON body. Stores nothing. */
export function useMappingPreview(projectId: string) {
  return useWrite({
    mutationFn: (text: string) =>
      sendText('POST', '/v1/projects/{id}/mapping/preview', { id: projectId }, { text, type: 'application/json' }),
  });
}
