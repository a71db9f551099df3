import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { endpoints } from '../paths.ts';
import type { RangeRequest } from '../range.ts';
import { get, send } from './client.ts';
import { invalidatePolicies } from './policy-ownership.ts';
import { useWrite } from './use-write.ts';
import type { GuardrailActivity, GuardrailChange, GuardrailFields, GuardrailPage, GuardrailRecord } from './wire.ts';

/** The guardrails of a project, at most 100. */
export function guardrailsQuery(projectId: string) {
  return queryOptions({
    queryKey: ['guardrails', projectId],
    queryFn: ({ signal }) => get<GuardrailPage>(endpoints.guardrails(projectId, { limit: 200 }), signal),
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
    queryFn: ({ signal }) => get<GuardrailActivity>(endpoints.guardrailActivity(projectId, parameters), signal),
  });
}

/** Creates, changes and deletes guardrails. Requires `guardrails:manage`. */
export function useGuardrailActions(projectId: string) {
  const client = useQueryClient();
  const onSuccess = () => invalidatePolicies(client);
  return {
    create: useWrite({
      mutationFn: (fields: GuardrailFields) => send<GuardrailRecord>('POST', endpoints.guardrails(projectId), fields),
      onSuccess,
    }),
    change: useWrite({
      mutationFn: ({ id, ...fields }: GuardrailChange & { id: string }) =>
        send<GuardrailRecord>('PATCH', endpoints.guardrail(projectId, id), fields),
      onSuccess,
    }),
    remove: useWrite({
      mutationFn: (id: string) => send<void>('DELETE', endpoints.guardrail(projectId, id)),
      onSuccess,
    }),
  };
}
