import { useQueryClient } from '@tanstack/react-query';
import { endpoints } from '../paths.ts';
import { send } from './client.ts';
import { useWrite } from './use-write.ts';

/** Detaches a guardrail or an environment from the files that manage it, by its ID. Requires `policy:apply`. */
export function useDetachPolicy(projectId: string) {
  const client = useQueryClient();
  return useWrite({
    mutationFn: (policyId: string) => send<unknown>('POST', endpoints.detachPolicy(projectId, policyId)),
    onSuccess: async () => {
      for (const key of ['guardrails', 'environments', 'policies'])
        await client.invalidateQueries({ queryKey: [key, projectId] });
    },
  });
}
