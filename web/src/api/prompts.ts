import { infiniteQueryOptions, queryOptions, useQueryClient } from '@tanstack/react-query';
import { ApiError, get, send } from './client.ts';
import { useWrite } from './use-write.ts';
import type { PromptBody, PromptPage, PromptVersion } from './service.ts';
import type { RangeRequest } from '../range.ts';

const promptPageSize = 100;
const versionPageSize = 50;
const suggestionLimit = 20;

/** Filters of the list of prompts. */
export interface PromptFilters {
  /** `/` for prompts without a folder; undefined for all. */
  folder?: string | undefined;
  tag?: string | undefined;
  q?: string | undefined;
}

const listKey = (projectId: string) => ['prompts', projectId] as const;
const familyKey = (projectId: string, name: string) => ['prompt', projectId, name] as const;

function filterParameters({ folder, tag, q }: PromptFilters) {
  return { folder, tag, q, ...(folder === undefined || folder === '/' ? {} : { subfolders: 'true' as const }) };
}

/** The newest version of each prompt, by name, paginated. A folder includes its subfolders. */
export function promptsQuery(projectId: string, filters: PromptFilters) {
  return infiniteQueryOptions({
    queryKey: [...listKey(projectId), 'list', filters],
    queryFn: ({ pageParam, signal }) =>
      get(
        '/v1/prompts',
        { projectId, ...filterParameters(filters), limit: promptPageSize, cursor: pageParam || undefined },
        signal,
      ) as Promise<PromptPage>,
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
  });
}

/** The first 20 prompts whose name contains a text. */
export function promptsNamedQuery(projectId: string, q: string) {
  return queryOptions({
    queryKey: [...listKey(projectId), 'named', q],
    queryFn: ({ signal }) => get('/v1/prompts', { projectId, q, limit: suggestionLimit }, signal) as Promise<PromptPage>,
  });
}

/** All folders that contain prompts. */
export function promptFoldersQuery(projectId: string) {
  return queryOptions({
    queryKey: [...listKey(projectId), 'folders'],
    queryFn: ({ signal }) => get('/v1/prompts/folders', { projectId }, signal),
  });
}

/** The versions of a prompt, newest first, paginated. */
export function promptVersionsQuery(projectId: string, name: string) {
  return infiniteQueryOptions({
    queryKey: [...familyKey(projectId, name), 'versions'],
    queryFn: ({ pageParam, signal }) =>
      get('/v1/prompts/{name}/versions', { name, projectId, limit: versionPageSize, cursor: pageParam || undefined }, signal),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
  });
}

/** Selects a version by number or label; by neither, the version that applications get by default. */
export interface VersionChoice {
  version?: number | undefined;
  label?: string | undefined;
}

/** One version of a prompt; null if it does not exist. */
export function promptVersionQuery(projectId: string, name: string, { version, label }: VersionChoice) {
  return queryOptions({
    queryKey: [...familyKey(projectId, name), 'version', version ?? null, label ?? null],
    queryFn: async ({ signal }) => {
      try {
        const parameters = { projectId, name, version: version === undefined ? undefined : String(version), label };
        return (await get('/v1/prompts', parameters, signal)) as PromptVersion;
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) return null;
        throw error;
      }
    },
  });
}

/** Calls, cost, latency, errors and scores by version in a time range. */
export function promptMetricsQuery(projectId: string, name: string, range: RangeRequest) {
  return queryOptions({
    queryKey: ['prompt-metrics', projectId, name, range],
    queryFn: ({ signal }) => get('/v1/projects/{id}/prompts/{name}/metrics', { id: projectId, name, ...range }, signal),
    staleTime: 30_000,
  });
}

type NewVersion = Omit<PromptBody, 'projectId'>;

/** Adds a version to a prompt. Requires `prompts:manage`. */
export function useAddVersion(projectId: string) {
  const client = useQueryClient();
  return useWrite({
    mutationFn: (body: NewVersion) => sendVersion(projectId, body),
    // The resolved text of prompts that reference this one may change.
    onSuccess: () => invalidatePrompts(client, projectId),
  });
}

/** Creates a prompt. Requires `prompts:manage`. Throws a 409 for an existing name, which the service would accept as a new version. */
export function useCreatePrompt(projectId: string) {
  const client = useQueryClient();
  return useWrite({
    mutationFn: async (body: NewVersion) => {
      if (await isTaken(projectId, body.name))
        throw new ApiError(409, 'conflict', 'A prompt with this name exists. Open it to add a version, or choose another name.');
      return sendVersion(projectId, body);
    },
    onSuccess: () => invalidatePrompts(client, projectId),
  });
}

function sendVersion(projectId: string, body: NewVersion): Promise<PromptVersion> {
  return send('POST', '/v1/prompts', { projectId }, { ...body, projectId });
}

async function isTaken(projectId: string, name: string): Promise<boolean> {
  // The service rejects an empty name.
  if (name === '') return false;
  try {
    await get('/v1/prompts/{name}/versions', { name, projectId, limit: 1 });
    return true;
  } catch (error) {
    if (error instanceof ApiError && (error.status === 404 || error.status === 400)) return false;
    throw error;
  }
}

/** Changes labels, tags and folder of a prompt, and deletes it. Requires `prompts:manage`. */
export function usePromptActions(projectId: string, name: string) {
  const client = useQueryClient();
  const onSuccess = () => invalidatePrompts(client, projectId);
  const at = { name, projectId };
  return {
    moveLabel: useWrite({
      mutationFn: ({ label, version }: { label: string; version: number }) =>
        send('PATCH', '/v1/prompts/{name}/labels', at, { version, labels: [label] }),
      onSuccess,
    }),
    removeLabel: useWrite({
      mutationFn: (label: string) => send('DELETE', '/v1/prompts/{name}/labels/{label}', { ...at, label }),
      onSuccess,
    }),
    setTags: useWrite({
      mutationFn: (tags: readonly string[]) => send('PATCH', '/v1/prompts/{name}/tags', at, { tags }),
      onSuccess,
    }),
    setFolder: useWrite({
      mutationFn: (folder: string | null) => send('PATCH', '/v1/prompts/{name}/folder', at, { folder }),
      onSuccess,
    }),
    remove: useWrite({
      mutationFn: () => send('DELETE', '/v1/prompts/{name}', { name, projectId }),
      onSuccess: async () => {
        client.removeQueries({ queryKey: familyKey(projectId, name) });
        await client.invalidateQueries({ queryKey: listKey(projectId) });
      },
    }),
  };
}

async function invalidatePrompts(client: ReturnType<typeof useQueryClient>, projectId: string): Promise<void> {
  await client.invalidateQueries({ queryKey: listKey(projectId) });
  await client.invalidateQueries({ queryKey: ['prompt', projectId] });
}
