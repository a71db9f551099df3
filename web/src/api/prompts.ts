import { infiniteQueryOptions, queryOptions, useQueryClient } from '@tanstack/react-query';
import { endpoints } from '../paths.ts';
import { ApiError, get, send } from './client.ts';
import { useWrite } from './use-write.ts';
import type {
  PromptBody,
  PromptFolders,
  PromptMetrics,
  PromptPage,
  PromptVersion,
  PromptVersionPage,
  RangeName,
} from './wire.ts';

const promptPageSize = 100;
const versionPageSize = 50;
const shownAtOnce = 20;

/** What narrows the list of prompts. */
export interface PromptFilters {
  /** `/` for the prompts in no folder; left out for all. */
  folder?: string | undefined;
  tag?: string | undefined;
  q?: string | undefined;
}

const listKey = (projectId: string) => ['prompts', projectId] as const;
const familyKey = (projectId: string, name: string) => ['prompt', projectId, name] as const;

function filterParameters({ folder, tag, q }: PromptFilters) {
  return { folder, tag, q, ...(folder === undefined || folder === '/' ? {} : { subfolders: true }) };
}

/** The newest version of each prompt, by name, page after page. A folder holds what is in those below it. */
export function promptsQuery(projectId: string, filters: PromptFilters) {
  return infiniteQueryOptions({
    queryKey: [...listKey(projectId), 'list', filters],
    queryFn: ({ pageParam, signal }) =>
      get<PromptPage>(
        endpoints.prompts(projectId, {
          ...filterParameters(filters),
          limit: promptPageSize,
          ...(pageParam === '' ? {} : { cursor: pageParam }),
        }),
        signal,
      ),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
  });
}

/** Some prompts whose name holds a text. */
export function promptsNamedQuery(projectId: string, q: string) {
  return queryOptions({
    queryKey: [...listKey(projectId), 'named', q],
    queryFn: ({ signal }) => get<PromptPage>(endpoints.prompts(projectId, { q, limit: shownAtOnce }), signal),
  });
}

/** Every folder that has a prompt in it. */
export function promptFoldersQuery(projectId: string) {
  return queryOptions({
    queryKey: [...listKey(projectId), 'folders'],
    queryFn: ({ signal }) => get<PromptFolders>(endpoints.promptFolders(projectId), signal),
  });
}

/** The versions of a prompt, newest first, page after page. */
export function promptVersionsQuery(projectId: string, name: string) {
  return infiniteQueryOptions({
    queryKey: [...familyKey(projectId, name), 'versions'],
    queryFn: ({ pageParam, signal }) =>
      get<PromptVersionPage>(
        endpoints.promptVersions(projectId, name, { limit: versionPageSize, ...(pageParam === '' ? {} : { cursor: pageParam }) }),
        signal,
      ),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
  });
}

/** Which version of a prompt: by number, by label, or what applications get that name neither. */
export interface VersionChoice {
  version?: number | undefined;
  label?: string | undefined;
}

/** One version of a prompt; null when there is none. */
export function promptVersionQuery(projectId: string, name: string, { version, label }: VersionChoice) {
  return queryOptions({
    queryKey: [...familyKey(projectId, name), 'version', version ?? null, label ?? null],
    queryFn: async ({ signal }) => {
      try {
        return await get<PromptVersion>(endpoints.prompts(projectId, { name, version, label }), signal);
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) return null;
        throw error;
      }
    },
  });
}

/** Calls, cost, latency, errors and scores of the versions of a prompt over a range. */
export function promptMetricsQuery(projectId: string, name: string, range: RangeName) {
  return queryOptions({
    queryKey: ['prompt-metrics', projectId, name, range],
    queryFn: ({ signal }) => get<PromptMetrics>(endpoints.promptMetrics(projectId, name, { range }), signal),
    staleTime: 30_000,
  });
}

type NewVersion = Omit<PromptBody, 'projectId'>;

/** Adds a version to a prompt; needs `prompts:manage`. */
export function useAddVersion(projectId: string) {
  const client = useQueryClient();
  return useWrite({
    mutationFn: (body: NewVersion) => sendVersion(projectId, body),
    // What refers to this prompt now reads otherwise.
    onSuccess: () => forget(client, projectId),
  });
}

/** Makes a prompt; needs `prompts:manage`. Errors: 409 for a name that is taken, which the service would take as a new version. */
export function useMakePrompt(projectId: string) {
  const client = useQueryClient();
  return useWrite({
    mutationFn: async (body: NewVersion) => {
      if (await isTaken(projectId, body.name))
        throw new ApiError(409, 'conflict', 'There is a prompt of this name. Open it to add a version, or take another name.');
      return sendVersion(projectId, body);
    },
    onSuccess: () => forget(client, projectId),
  });
}

function sendVersion(projectId: string, body: NewVersion): Promise<PromptVersion> {
  return send('POST', endpoints.prompts(projectId), { ...body, projectId });
}

async function isTaken(projectId: string, name: string): Promise<boolean> {
  // Nothing has no name: the service says so itself.
  if (name === '') return false;
  try {
    await get(endpoints.promptVersions(projectId, name, { limit: 1 }));
    return true;
  } catch (error) {
    if (error instanceof ApiError && (error.status === 404 || error.status === 400)) return false;
    throw error;
  }
}

/** Labels, tags, folder and deletion of a prompt; needs `prompts:manage`. */
export function usePromptActions(projectId: string, name: string) {
  const client = useQueryClient();
  const onSuccess = () => forget(client, projectId);
  const patch = (part: 'labels' | 'tags' | 'folder', body: object) =>
    send<unknown>('PATCH', endpoints.promptPart(projectId, name, part), body);
  return {
    moveLabel: useWrite({
      mutationFn: ({ label, version }: { label: string; version: number }) => patch('labels', { version, labels: [label] }),
      onSuccess,
    }),
    setTags: useWrite({ mutationFn: (tags: readonly string[]) => patch('tags', { tags }), onSuccess }),
    setFolder: useWrite({ mutationFn: (folder: string | null) => patch('folder', { folder }), onSuccess }),
    remove: useWrite({
      mutationFn: () => send<void>('DELETE', endpoints.prompt(projectId, name)),
      onSuccess: async () => {
        client.removeQueries({ queryKey: familyKey(projectId, name) });
        await client.invalidateQueries({ queryKey: listKey(projectId) });
      },
    }),
  };
}

async function forget(client: ReturnType<typeof useQueryClient>, projectId: string): Promise<void> {
  await client.invalidateQueries({ queryKey: listKey(projectId) });
  await client.invalidateQueries({ queryKey: ['prompt', projectId] });
}
