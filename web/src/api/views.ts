import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { get, send } from './client.ts';
import type { BodyOf } from './operations.ts';
import type { SavedView } from './parts.ts';
import { useWrite } from './use-write.ts';
import { largestLimit } from '../../../src/contract/limits.ts';

export type ViewBody = NonNullable<BodyOf<'POST', '/v1/projects/{id}/views'>>;
export type ViewChange = NonNullable<BodyOf<'PATCH', '/v1/projects/{id}/views/{viewId}'>>;

const viewsKey = (projectId: string) => ['views', projectId];

/** The saved views of a list that the viewer may see: pinned ones first, then by name. */
export function viewsQuery(projectId: string, on: ViewBody['on']) {
  return queryOptions({
    queryKey: [...viewsKey(projectId), on],
    queryFn: async ({ signal }): Promise<readonly SavedView[]> => {
      const views: SavedView[] = [];
      let cursor: string | undefined;
      do {
        const page = await get('/v1/projects/{id}/views', { id: projectId, on, limit: largestLimit, cursor }, signal);
        views.push(...page.views);
        cursor = page.nextCursor ?? undefined;
      } while (cursor !== undefined);
      return views;
    },
  });
}

/** One saved view. */
export function viewQuery(projectId: string, viewId: string) {
  return queryOptions({
    queryKey: [...viewsKey(projectId), 'one', viewId],
    queryFn: ({ signal }) => get('/v1/projects/{id}/views/{viewId}', { id: projectId, viewId }, signal),
    retry: false,
  });
}

/** Makes, changes and deletes saved views. */
export function useViewActions(projectId: string) {
  const client = useQueryClient();
  const changed = () => client.invalidateQueries({ queryKey: viewsKey(projectId) });
  return {
    create: useWrite({
      mutationFn: (body: ViewBody) => send('POST', '/v1/projects/{id}/views', { id: projectId }, body),
      onSuccess: changed,
    }),
    change: useWrite({
      mutationFn: ({ viewId, ...body }: ViewChange & { viewId: string }) =>
        send('PATCH', '/v1/projects/{id}/views/{viewId}', { id: projectId, viewId }, body),
      onSuccess: changed,
    }),
    remove: useWrite({
      mutationFn: (viewId: string) => send('DELETE', '/v1/projects/{id}/views/{viewId}', { id: projectId, viewId }),
      onSuccess: changed,
    }),
  };
}
