import { infiniteQueryOptions, queryOptions, useQueryClient } from '@tanstack/react-query';
import { endpoints } from '../paths.ts';
import { get, send, sendText } from './client.ts';
import { useWrite } from './use-write.ts';
import type { EvidencePack, PackPage, PackVerification } from './wire.ts';

const packsKey = 'evidence-packs';

/** The evidence packs of a project without their evidence, newest first, paginated. */
export function packsQuery(projectId: string) {
  return infiniteQueryOptions({
    queryKey: [packsKey, projectId],
    queryFn: ({ pageParam, signal }) =>
      get<PackPage>(
        endpoints.evidencePacks(projectId, { limit: 50, ...(pageParam === '' ? {} : { cursor: pageParam }) }),
        signal,
      ),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
  });
}

/** One evidence pack. It never changes. */
export function packQuery(projectId: string, packId: string) {
  return queryOptions({
    queryKey: ['evidence-pack', projectId, packId],
    queryFn: ({ signal }) => get<EvidencePack>(endpoints.evidencePack(projectId, packId), signal),
    staleTime: Infinity,
  });
}

/** Generates a pack. Requires `compliance:generate`. */
export function useGeneratePack(projectId: string) {
  const client = useQueryClient();
  return useWrite({
    mutationFn: (range: { from: string; to: string }) =>
      send<EvidencePack>('POST', endpoints.evidencePacks(projectId), { framework: 'soc2', ...range }),
    onSuccess: () => client.invalidateQueries({ queryKey: [packsKey, projectId] }),
  });
}

/** Verifies a stored pack. Reads the whole audit log, so it runs on request only. */
export function useVerifyPack(projectId: string, packId: string) {
  return useWrite({ mutationFn: () => get<PackVerification>(endpoints.verifyPack(projectId, packId)) });
}

/** Verifies a downloaded pack, sent unchanged. */
export function useVerifyGivenPack(projectId: string) {
  return useWrite({
    mutationFn: (text: string | Blob) =>
      sendText<PackVerification>('POST', endpoints.verifyGivenPack(projectId), { text, type: 'application/json' }),
  });
}
