import { queryOptions, useQueryClient } from '@tanstack/react-query';
import type { RangeRequest } from '../range.ts';
import { get, send } from './client.ts';
import { invalidatePolicies } from './policy-ownership.ts';
import { useWrite } from './use-write.ts';
import type { GuardrailBody, GuardrailChange } from './service.ts';
import { largestLimit } from '../../../src/contract/limits.ts';

/** The guardrails of a project, at most 100. */
export function guardrailsQuery(projectId: string) {
  return queryOptions({
    queryKey: ['guardrails', projectId],
    queryFn: ({ signal }) => get('/v1/projects/{id}/guardrails', { id: projectId, limit: largestLimit }, signal),
  });
}

/** What an activity is grouped by, besides the guardrail. */
interface Grouping {
  by: 'day' | 'environment';
  /** The slug of the only guardrail that is wanted; all by default. */
  guardrail?: string;
}

/** What guardrails did in a time range, with a row for each guardrail and day, or each guardrail and environment. */
export function guardrailActivityQuery(projectId: string, range: RangeRequest, grouping: Grouping) {
  const parameters = { ...range, ...grouping };
  return queryOptions({
    queryKey: ['guardrail-activity', projectId, parameters],
    queryFn: ({ signal }) => get('/v1/projects/{id}/guardrails/activity', { id: projectId, ...parameters }, signal),
  });
}

/** Creates, changes and deletes guardrails. Requires `guardrails:manage`. */
export function useGuardrailActions(projectId: string) {
  const client = useQueryClient();
  const onSuccess = () => invalidatePolicies(client);
  return {
    create: useWrite({
      mutationFn: (fields: GuardrailBody) => send('POST', '/v1/projects/{id}/guardrails', { id: projectId }, fields),
      onSuccess,
    }),
    change: useWrite({
      mutationFn: ({ id, ...fields }: GuardrailChange & { id: string }) =>
        send('PATCH', '/v1/projects/{id}/guardrails/{guardrailId}', { id: projectId, guardrailId: id }, fields),
      onSuccess,
    }),
    remove: useWrite({
      mutationFn: (id: string) =>
        send('DELETE', '/v1/projects/{id}/guardrails/{guardrailId}', { id: projectId, guardrailId: id }),
      onSuccess,
    }),
  };
}
