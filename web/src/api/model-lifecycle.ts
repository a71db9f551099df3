import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { get, send } from './client.ts';
import { useWrite } from './use-write.ts';
import type { OverrideBody } from './service.ts';

const findingsKey = 'lifecycle-findings';
const catalogueKey = 'lifecycle-catalogue';

/** Called models that are retired soon, open and dismissed, the nearest first. */
export function findingsQuery(projectId: string) {
  return queryOptions({
    queryKey: [findingsKey, projectId],
    queryFn: ({ signal }) => get('/v1/projects/{id}/model-lifecycle/findings', { id: projectId }, signal),
    staleTime: 60_000,
  });
}

/** The retirement dates that hold for a project. Large: loaded by its own tab only. */
export function catalogueQuery(projectId: string) {
  return queryOptions({
    queryKey: [catalogueKey, projectId],
    queryFn: ({ signal }) => get('/v1/projects/{id}/model-lifecycle/catalogue', { id: projectId }, signal),
    staleTime: 5 * 60_000,
  });
}

/** Scans, dismisses findings, and sets dates of the project's own. Requires `alerts:manage`. */
export function useLifecycleActions(projectId: string) {
  const client = useQueryClient();
  const invalidate = (key: string) => () => client.invalidateQueries({ queryKey: [key, projectId] });
  return {
    scan: useWrite({
      mutationFn: () => send('POST', '/v1/projects/{id}/model-lifecycle/scan', { id: projectId }),
      onSuccess: invalidate(findingsKey),
    }),
    dismiss: useWrite({
      mutationFn: (findingId: string) =>
        send('POST', '/v1/projects/{id}/model-lifecycle/findings/{findingId}/dismiss', { id: projectId, findingId }),
      onSuccess: invalidate(findingsKey),
    }),
    setDate: useWrite({
      mutationFn: ({ model, ...fields }: OverrideBody & { model: string }) =>
        send('PUT', '/v1/projects/{id}/model-lifecycle/catalogue/{model}', { id: projectId, model }, fields),
      onSuccess: invalidate(catalogueKey),
    }),
    deleteDate: useWrite({
      mutationFn: (model: string) =>
        send('DELETE', '/v1/projects/{id}/model-lifecycle/catalogue/{model}', { id: projectId, model }),
      onSuccess: invalidate(catalogueKey),
    }),
  };
}
