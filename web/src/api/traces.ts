import { infiniteQueryOptions, queryOptions, useQueryClient } from '@tanstack/react-query';
import { endpoints } from '../paths.ts';
import { get, send } from './client.ts';
import { useWrite } from './use-write.ts';
import type {
  ListSessionsQuery,
  ListTracesQuery,
  SessionDetail,
  SessionPage,
  SpanMapping,
  TraceDetail,
  TracePage,
} from './wire.ts';

const pageSize = 100;

/** A project's traces, page after page. `live` asks for the newest again and again. */
export function tracesQuery(projectId: string, query: Omit<ListTracesQuery, 'cursor' | 'limit'>, live = false) {
  return infiniteQueryOptions({
    queryKey: ['traces', projectId, query, live],
    queryFn: ({ pageParam, signal }) =>
      get<TracePage>(
        endpoints.traces(projectId, { ...query, limit: pageSize, ...(pageParam === '' ? {} : { cursor: pageParam }) } as never),
        signal,
      ),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
    ...(live ? { refetchInterval: 2_000, staleTime: 0 } : {}),
  });
}

/** One trace with its spans. It can be large, and does not change once it has ended: it is not compared with what was there before. */
export function traceQuery(projectId: string, traceId: string) {
  return queryOptions({
    queryKey: ['trace', projectId, traceId],
    queryFn: ({ signal }) => get<TraceDetail>(endpoints.trace(projectId, traceId), signal),
    structuralSharing: false,
    gcTime: 60_000,
  });
}

/** What filled the fields of a span. */
export function spanMappingQuery(projectId: string, traceId: string, spanId: string) {
  return queryOptions({
    queryKey: ['span-mapping', projectId, traceId, spanId],
    queryFn: ({ signal }) => get<SpanMapping>(endpoints.spanMapping(projectId, traceId, spanId), signal),
    // A value may be as large as the span.
    structuralSharing: false,
    gcTime: 60_000,
  });
}

/** Deletes a trace; every figure forgets it. */
export function useDeleteTrace(projectId: string) {
  const client = useQueryClient();
  return useWrite({
    mutationFn: (traceId: string) => send<void>('DELETE', endpoints.trace(projectId, traceId)),
    onSuccess: async (_, traceId) => {
      client.removeQueries({ queryKey: ['trace', projectId, traceId] });
      await client.invalidateQueries({ queryKey: ['traces', projectId] });
    },
  });
}

/** A project's sessions, the one that was active last first. */
export function sessionsQuery(projectId: string, query: Omit<ListSessionsQuery, 'cursor' | 'limit'>) {
  return infiniteQueryOptions({
    queryKey: ['sessions', projectId, query],
    queryFn: ({ pageParam, signal }) =>
      get<SessionPage>(
        endpoints.sessions(projectId, { ...query, limit: pageSize, ...(pageParam === '' ? {} : { cursor: pageParam }) } as never),
        signal,
      ),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
  });
}

/** One session with its traces in time order. */
export function sessionDetailQuery(projectId: string, sessionId: string) {
  return queryOptions({
    queryKey: ['session-detail', projectId, sessionId],
    queryFn: ({ signal }) => get<SessionDetail>(endpoints.sessionDetail(projectId, sessionId), signal),
  });
}
