import { infiniteQueryOptions, queryOptions, useQueryClient } from '@tanstack/react-query';
import { endpoints } from '../paths.ts';
import { incidentKeys } from './alerts.ts';
import { get, send } from './client.ts';
import { useWrite } from './use-write.ts';
import type {
  FixProposalBody,
  FixProposalPage,
  Incident,
  IncidentChange,
  IncidentPage,
  IncidentsQuery,
  StartedFixProposal,
} from './wire.ts';

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
      get<IncidentPage>(
        endpoints.incidents(projectId, { ...query, limit: pageSize, ...(pageParam === '' ? {} : { cursor: pageParam }) }),
        signal,
      ),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
  });
}

/** The newest open incidents, one more than {@link maxOpenCount}, refreshed every minute. */
export function openIncidentsQuery(projectId: string) {
  return queryOptions({
    queryKey: ['open-incidents', projectId],
    queryFn: ({ signal }) =>
      get<IncidentPage>(endpoints.incidents(projectId, { status: 'open', limit: maxOpenCount + 1 }), signal),
    staleTime: openPollMs,
    refetchInterval: openPollMs,
  });
}

/** One incident. One that is not resolved is refreshed every minute. */
export function incidentQuery(projectId: string, incidentId: string) {
  return queryOptions({
    queryKey: ['incident', projectId, incidentId],
    queryFn: ({ signal }) => get<Incident>(endpoints.incident(projectId, incidentId), signal),
    refetchInterval: ({ state }) => (state.data && state.data.status !== 'resolved' ? openPollMs : false),
  });
}

/** The fix proposals of an incident, newest first. Refreshed while one is in progress. */
export function fixProposalsQuery(projectId: string, incidentId: string) {
  return queryOptions({
    queryKey: ['fix-proposals', projectId, incidentId],
    queryFn: ({ signal }) => get<FixProposalPage>(endpoints.fixProposals(projectId, incidentId, { limit: 20 }), signal),
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
      mutationFn: (change: IncidentChange) => send<Incident>('PATCH', endpoints.incident(projectId, incidentId), change),
      onSuccess: async () => {
        for (const key of incidentKeys) await client.invalidateQueries({ queryKey: [key, projectId] });
      },
    }),
    propose: useWrite({
      mutationFn: (body: FixProposalBody) =>
        send<StartedFixProposal>('POST', endpoints.fixProposals(projectId, incidentId), body),
      onSuccess: () => client.invalidateQueries({ queryKey: ['fix-proposals', projectId, incidentId] }),
    }),
  };
}
