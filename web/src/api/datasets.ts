import { infiniteQueryOptions, queryOptions, skipToken, useQueryClient } from '@tanstack/react-query';
import type { QueryClient } from '@tanstack/react-query';
import { get, send, sendText } from './client.ts';
import type { Imported, ImportPreview } from './service.ts';
import { useWrite } from './use-write.ts';

const pageSize = 100;
/** Page size of the items endpoint. */
const itemsPageSize = 1000;

const datasetsKey = (projectId: string) => ['datasets', projectId];

/** The datasets of a project, newest first. @param filter `q`: in the name */
export function datasetsQuery(projectId: string, { q }: { q?: string | undefined } = {}) {
  return infiniteQueryOptions({
    queryKey: [...datasetsKey(projectId), ...(q === undefined ? [] : [q])],
    queryFn: ({ pageParam, signal }) =>
      get('/v1/datasets', { projectId, q, limit: pageSize, cursor: pageParam || undefined }, signal),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
  });
}

/** One dataset. */
export function datasetQuery(projectId: string, datasetId: string) {
  return queryOptions({
    queryKey: ['dataset', projectId, datasetId],
    queryFn: ({ signal }) => get('/v1/datasets/{datasetId}', { datasetId, projectId }, signal),
  });
}

/** The items of a dataset, oldest first, 1,000 per page. No structural sharing: items can be large. */
export function datasetItemsQuery(projectId: string, datasetId: string) {
  return infiniteQueryOptions({
    queryKey: ['dataset-items', projectId, datasetId],
    queryFn: ({ pageParam, signal }) =>
      get('/v1/datasets/{datasetId}/items', { datasetId, projectId, after: pageParam || undefined }, signal),
    initialPageParam: '',
    getNextPageParam: (page) => (page.items.length < itemsPageSize ? null : (page.items.at(-1)?.id ?? null)),
    structuralSharing: false,
    gcTime: 60_000,
  });
}

/** One item of a dataset. */
export function datasetItemQuery(projectId: string, datasetId: string, itemId: string) {
  return queryOptions({
    queryKey: ['dataset-items', projectId, datasetId, 'one', itemId],
    queryFn: ({ signal }) => get('/v1/datasets/{datasetId}/items/{itemId}', { datasetId, itemId, projectId }, signal),
    structuralSharing: false,
    gcTime: 60_000,
  });
}

/** The items of a dataset, oldest first, to choose one: few a page. */
export function itemChoiceQuery(projectId: string, datasetId: string) {
  const limit = 25;
  return infiniteQueryOptions({
    queryKey: ['dataset-items', projectId, datasetId, 'choice'],
    queryFn: ({ pageParam, signal }) =>
      get('/v1/datasets/{datasetId}/items', { datasetId, projectId, limit, after: pageParam || undefined }, signal),
    initialPageParam: '',
    getNextPageParam: (page) => (page.items.length < limit ? null : (page.items.at(-1)?.id ?? null)),
    structuralSharing: false,
    gcTime: 60_000,
  });
}

/** Creates, changes and deletes datasets. Requires `datasets:manage`. */
export function useDatasetActions(projectId: string) {
  const client = useQueryClient();
  const onSuccess = async () => {
    await client.invalidateQueries({ queryKey: datasetsKey(projectId) });
    await client.invalidateQueries({ queryKey: ['dataset', projectId] });
  };
  return {
    create: useWrite({
      mutationFn: (fields: { name: string; description: string | null }) => send('POST', '/v1/datasets', { projectId }, fields),
      onSuccess,
    }),
    change: useWrite({
      mutationFn: ({ id, ...fields }: { id: string; name: string; description: string | null }) =>
        send('PATCH', '/v1/datasets/{datasetId}', { datasetId: id, projectId }, fields),
      onSuccess,
    }),
    remove: useWrite({
      mutationFn: (id: string) => send('DELETE', '/v1/datasets/{datasetId}', { datasetId: id, projectId }),
      onSuccess: (_, id) => {
        client.removeQueries({ queryKey: ['dataset', projectId, id] });
        return client.invalidateQueries({ queryKey: datasetsKey(projectId) });
      },
    }),
  };
}

/** A file of items. */
export interface ItemFile {
  text: Blob;
  type: 'application/x-ndjson' | 'text/csv';
  /** JSON of which columns become which parts of an item. */
  columns?: string | undefined;
}

/** Invalidates every query that contains items or item counts. */
async function invalidateItems(client: QueryClient, projectId: string, datasetId: string): Promise<void> {
  await client.invalidateQueries({ queryKey: ['dataset-items', projectId, datasetId] });
  await client.invalidateQueries({ queryKey: ['dataset', projectId, datasetId] });
  await client.invalidateQueries({ queryKey: datasetsKey(projectId) });
}

/** Adds an item given as JSON text, which keeps numbers exact. Requires `datasets:manage`. */
export function useAddItem(projectId: string) {
  const client = useQueryClient();
  return useWrite({
    mutationFn: ({ datasetId, text }: { datasetId: string; text: string }) =>
      sendText('POST', '/v1/datasets/{datasetId}/items', { datasetId, projectId }, { text, type: 'application/json' }),
    onSuccess: (_, { datasetId }) => invalidateItems(client, projectId, datasetId),
  });
}

/** Changes (with a JSON text), deletes and imports items. Requires `datasets:manage`. */
export function useItemActions(projectId: string, datasetId: string) {
  const client = useQueryClient();
  const onSuccess = () => invalidateItems(client, projectId, datasetId);
  return {
    change: useWrite({
      mutationFn: ({ id, text }: { id: string; text: string }) =>
        sendText(
          'PATCH',
          '/v1/datasets/{datasetId}/items/{itemId}',
          { datasetId, itemId: id, projectId },
          { text, type: 'application/json' },
        ),
      onSuccess,
    }),
    remove: useWrite({
      mutationFn: (id: string) => send('DELETE', '/v1/datasets/{datasetId}/items/{itemId}', { datasetId, itemId: id, projectId }),
      onSuccess: async () => {
        await onSuccess();
        // The service also deletes the item's run results.
        await client.invalidateQueries({ queryKey: ['dataset-runs', projectId, datasetId] });
      },
    }),
    importFile: useWrite({
      mutationFn: ({ columns, ...file }: ItemFile) =>
        sendText('POST', '/v1/datasets/{datasetId}/import', { datasetId, projectId, columns }, file) as Promise<Imported>,
      onSuccess,
    }),
  };
}

/**
 * What an import of a file would do.
 *
 * @param file null: none is chosen
 * @param number tells files apart, which may have one name
 */
export function importPreviewQuery(projectId: string, datasetId: string, file: ItemFile | null, number: number) {
  return queryOptions({
    queryKey: ['import-preview', projectId, datasetId, number, file?.columns ?? null],
    queryFn:
      file === null
        ? skipToken
        : ({ signal }) => {
            const { columns, ...content } = file;
            return sendText(
              'POST',
              '/v1/datasets/{datasetId}/import',
              { datasetId, projectId, columns, dryRun: 'true' },
              content,
              signal,
            ) as Promise<ImportPreview>;
          },
    // The whole file is sent each time.
    retry: false,
    refetchOnReconnect: false,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
}
