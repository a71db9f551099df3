import { infiniteQueryOptions, queryOptions, useQueryClient } from '@tanstack/react-query';
import type { QueryClient } from '@tanstack/react-query';
import { get, send } from './client.ts';
import { useWrite } from './use-write.ts';
import type { AlertBody, AlertChange } from './service.ts';
import { largestLimit } from '../../../src/contract/limits.ts';

const alertsKey = 'alerts';
const alertKey = 'alert';
const deliveriesKey = 'deliveries';
/** The keys of lists and pages of incidents. */
export const incidentKeys = ['incidents', 'incident', 'open-incidents'] as const;

/** The alert rules of a project, at most 200. */
export function alertsQuery(projectId: string) {
  return queryOptions({
    queryKey: [alertsKey, projectId],
    queryFn: ({ signal }) => get('/v1/projects/{id}/alerts', { id: projectId, limit: largestLimit }, signal),
  });
}

/** One alert rule. */
export function alertQuery(projectId: string, alertId: string) {
  return queryOptions({
    queryKey: [alertKey, projectId, alertId],
    queryFn: ({ signal }) => get('/v1/projects/{id}/alerts/{alertId}', { id: projectId, alertId }, signal),
  });
}

/** When a rule would have fired over the last 30 days. Requires `alerts:manage`. */
export function previewQuery(projectId: string, fields: AlertBody) {
  return queryOptions({
    queryKey: ['alert-preview', projectId, fields],
    queryFn: ({ signal }) => send('POST', '/v1/projects/{id}/alerts/preview', { id: projectId }, fields, signal),
    staleTime: 60_000,
  });
}

/** Messages to the channels of a rule, newest first, paginated. */
export function deliveriesQuery(projectId: string, alertId: string) {
  return infiniteQueryOptions({
    queryKey: [deliveriesKey, projectId, alertId],
    queryFn: ({ pageParam, signal }) =>
      get(
        '/v1/projects/{id}/alerts/{alertId}/deliveries',
        { id: projectId, alertId, limit: 20, cursor: pageParam || undefined },
        signal,
      ),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
    // Attempts are made meanwhile.
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ deliveries }) => deliveries.some(({ status }) => status === 'pending')) === true ? 3_000 : false,
  });
}

/** Saving, disabling and deleting a rule resolves incidents. */
async function invalidateRules(client: QueryClient, keys: readonly string[] = [alertsKey, alertKey]): Promise<void> {
  for (const key of [...keys, ...incidentKeys]) await client.invalidateQueries({ queryKey: [key] });
}

/** Creates, changes, deletes and tests alert rules. Requires `alerts:manage`. */
export function useAlertActions(projectId: string) {
  const client = useQueryClient();
  const onSuccess = () => invalidateRules(client);
  const refreshDeliveries = () => client.invalidateQueries({ queryKey: [deliveriesKey, projectId] });
  return {
    create: useWrite({
      mutationFn: (fields: AlertBody) => send('POST', '/v1/projects/{id}/alerts', { id: projectId }, fields),
      onSuccess,
    }),
    change: useWrite({
      mutationFn: ({ id, ...fields }: AlertChange & { id: string }) =>
        send('PATCH', '/v1/projects/{id}/alerts/{alertId}', { id: projectId, alertId: id }, fields),
      onSuccess,
    }),
    remove: useWrite({
      mutationFn: (id: string) => send('DELETE', '/v1/projects/{id}/alerts/{alertId}', { id: projectId, alertId: id }),
      // The page of the deleted rule would show that it is not found, before it leads to the list.
      onSuccess: () => invalidateRules(client, [alertsKey]),
    }),
    sendTest: useWrite({
      mutationFn: (id: string) => send('POST', '/v1/projects/{id}/alerts/{alertId}/test', { id: projectId, alertId: id }),
      onSuccess: refreshDeliveries,
    }),
    redeliver: useWrite({
      mutationFn: ({ id, deliveryId }: { id: string; deliveryId: string }) =>
        send('POST', '/v1/projects/{id}/alerts/{alertId}/deliveries/{deliveryId}/redeliver', {
          id: projectId,
          alertId: id,
          deliveryId,
        }),
      onSuccess: refreshDeliveries,
    }),
  };
}
