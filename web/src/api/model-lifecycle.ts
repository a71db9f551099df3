import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { endpoints } from '../paths.ts';
import { get, send } from './client.ts';
import { useWrite } from './use-write.ts';
import type { Finding, FindingList, LifecycleCatalogue, LifecycleScan, ListedEntry, OverrideFields } from './wire.ts';

const findingsKey = 'lifecycle-findings';
const catalogueKey = 'lifecycle-catalogue';

/** Called models that are retired soon, open and dismissed, the nearest first. */
export function findingsQuery(projectId: string) {
  return queryOptions({
    queryKey: [findingsKey, projectId],
    queryFn: ({ signal }) => get<FindingList>(endpoints.findings(projectId), signal),
    staleTime: 60_000,
  });
}

/** The retirement dates that hold for a project. Large: loaded by its own tab only. */
export function catalogueQuery(projectId: string) {
  return queryOptions({
    queryKey: [catalogueKey, projectId],
    queryFn: ({ signal }) => get<LifecycleCatalogue>(endpoints.lifecycleCatalogue(projectId), signal),
    staleTime: 5 * 60_000,
  });
}

/** Scans, dismisses findings, and sets dates of the project's own. Requires `alerts:manage`. */
export function useLifecycleActions(projectId: string) {
  const client = useQueryClient();
  const invalidate = (key: string) => () => client.invalidateQueries({ queryKey: [key, projectId] });
  return {
    scan: useWrite({
      mutationFn: () => send<LifecycleScan>('POST', endpoints.scanLifecycle(projectId)),
      onSuccess: invalidate(findingsKey),
    }),
    dismiss: useWrite({
      mutationFn: (findingId: string) => send<Finding>('POST', endpoints.dismissFinding(projectId, findingId)),
      onSuccess: invalidate(findingsKey),
    }),
    setDate: useWrite({
      mutationFn: ({ model, ...fields }: OverrideFields & { model: string }) =>
        send<ListedEntry>('PUT', endpoints.catalogueModel(projectId, model), fields),
      onSuccess: invalidate(catalogueKey),
    }),
    deleteDate: useWrite({
      mutationFn: (model: string) => send<void>('DELETE', endpoints.catalogueModel(projectId, model)),
      onSuccess: invalidate(catalogueKey),
    }),
  };
}
