import { useQueryClient } from '@tanstack/react-query';
import type { QueryClient } from '@tanstack/react-query';
import { send } from './client.ts';
import { useWrite } from './use-write.ts';

/** The beginning of the keys of policies, revisions and their summaries. */
export const policiesKey = 'policies';

/** Loads everything again that shows guardrails, environments or their revisions. */
export async function invalidatePolicies(client: QueryClient): Promise<void> {
  for (const key of [policiesKey, 'guardrails', 'environments', 'audit-log']) await client.invalidateQueries({ queryKey: [key] });
}

/** Detaches a guardrail or an environment from the files that manage it, by its ID. Requires `policy:apply`. */
export function useDetachPolicy(projectId: string) {
  const client = useQueryClient();
  return useWrite({
    mutationFn: (policyId: string) => send('POST', '/v1/projects/{id}/policies/{policyId}/detach', { id: projectId, policyId }),
    onSuccess: () => invalidatePolicies(client),
  });
}

/** Gives a detached guardrail or environment back to the files, by its ID. Requires `policy:apply`. */
export function useAttachPolicy(projectId: string) {
  const client = useQueryClient();
  return useWrite({
    mutationFn: ({ policyId, force }: { policyId: string; force: boolean }) =>
      send('POST', '/v1/projects/{id}/policies/{policyId}/attach', { id: projectId, policyId }, { force }),
    onSuccess: () => invalidatePolicies(client),
  });
}
