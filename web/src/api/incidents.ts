import { infiniteQueryOptions, queryOptions, useQueryClient } from '@tanstack/react-query';
import { incidentKeys } from './alerts.ts';
import { get, send } from './client.ts';
import { useWrite } from './use-write.ts';
import type { IncidentsQuery } from './parts.ts';
import type { IncidentChange } from './service.ts';

const pageSize = 50;
/** A count beyond this is not exact. */
export const maxOpenCount = 9;
const openPollMs = 60_000;
const proposalPollMs = 2_000;

/** Incidents, the last opened first, paginated. */
export function incidentsQuery(projectId: string, query: IncidentsQuery) {
  return infiniteQueryOptions({
    queryKey: ['incidents', projectId, query],
    queryFn: ({ pageParam, signal }) =>
      get('/v1/projects/{id}/incidents', { id: projectId, ...query, limit: pageSize, cursor: pageParam || undefined }, signal),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
  });
}

/** The newest open incidents, one more than {@link maxOpenCount}, refreshed every minute. */
export function openIncidentsQuery(projectId: string) {
  return queryOptions({
    queryKey: ['open-incidents', projectId],
    queryFn: ({ signal }) =>
      get('/v1/projects/{id}/incidents', { id: projectId, status: 'open', limit: maxOpenCount + 1 }, signal),
    staleTime: openPollMs,
    refetchInterval: openPollMs,
  });
}

/** One incident. One that is not resolved is refreshed every minute. */
export function incidentQuery(projectId: string, incidentId: string) {
  return queryOptions({
    queryKey: ['incident', projectId, incidentId],
    queryFn: ({ signal }) => get('/v1/projects/{id}/incidents/{incidentId}', { id: projectId, incidentId }, signal),
    refetchInterval: ({ state }) => (state.data && state.data.status !== 'resolved' ? openPollMs : false),
  });
}

/** The fix proposals of an incident, newest first. Refreshed while one is in progress. */
export function fixProposalsQuery(projectId: string, incidentId: string) {
  return queryOptions({
    queryKey: ['fix-proposals', projectId, incidentId],
    queryFn: ({ signal }) =>
      get('/v1/projects/{id}/incidents/{incidentId}/fix-proposals', { id: projectId, incidentId, limit: 20 }, signal),
    refetchInterval: ({ state }) =>
      state.data?.fixProposals.some(({ status }) => status === 'queued' || status === 'running') === true
        ? proposalPollMs
        : false,
  });
}

/** Acknowledges and resolves an incident, which requires `incidents:manage`, and proposes a fix, which requires `prompts:manage` too. */
export function useIncidentActions(projectId: string, incidentId: string) {
  const client = useQueryClient();
  return {
    setStatus: useWrite({
      mutationFn: (change: IncidentChange) =>
        send('PATCH', '/v1/projects/{id}/incidents/{incidentId}', { id: projectId, incidentId }, change),
      onSuccess: async () => {
        // Beside each other: the dialog closes when the slowest has answered.
        await Promise.all(incidentKeys.map((key) => client.invalidateQueries({ queryKey: [key, projectId] })));
      },
    }),
    propose: useWrite({
      mutationFn: (body: { promptName?: string; connection?: string }) =>
        send('POST', '/v1/projects/{id}/incidents/{incidentId}/fix-proposals', { id: projectId, incidentId }, body),
      onSuccess: () => client.invalidateQueries({ queryKey: ['fix-proposals', projectId, incidentId] }),
    }),
  };
}
