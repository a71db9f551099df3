import { infiniteQueryOptions, queryOptions, useQueryClient } from '@tanstack/react-query';
import { get, send, sendText } from './client.ts';
import { useWrite } from './use-write.ts';

const packsKey = 'evidence-packs';

/** The evidence packs of a project without their evidence, newest first, paginated. */
export function packsQuery(projectId: string) {
  return infiniteQueryOptions({
    queryKey: [packsKey, projectId],
    queryFn: ({ pageParam, signal }) =>
      get('/v1/projects/{id}/evidence-packs', { id: projectId, limit: 50, cursor: pageParam || undefined }, signal),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
  });
}

/** One evidence pack. It never changes. */
export function packQuery(projectId: string, packId: string) {
  return queryOptions({
    queryKey: ['evidence-pack', projectId, packId],
    queryFn: ({ signal }) => get('/v1/projects/{id}/evidence-packs/{packId}', { id: projectId, packId }, signal),
    staleTime: Infinity,
  });
}

/** Generates a pack. Requires `compliance:generate`. */
export function useGeneratePack(projectId: string) {
  const client = useQueryClient();
  return useWrite({
    mutationFn: (range: { from: string; to: string }) =>
      send('POST', '/v1/projects/{id}/evidence-packs', { id: projectId }, { framework: 'soc2', ...range }),
    onSuccess: () => client.invalidateQueries({ queryKey: [packsKey, projectId] }),
  });
}

/** Verifies a stored pack. Reads the whole audit log, so it runs on request only. */
export function useVerifyPack(projectId: string, packId: string) {
  return useWrite({ mutationFn: () => get('/v1/projects/{id}/evidence-packs/{packId}/verify', { id: projectId, packId }) });
}

/** Verifies a downloaded pack, sent unchanged. */
export function useVerifyGivenPack(projectId: string) {
  return useWrite({
    mutationFn: (text: string | Blob) =>
      sendText('POST', '/v1/projects/{id}/evidence-packs/verify', { id: projectId }, { text, type: 'application/json' }),
  });
}
