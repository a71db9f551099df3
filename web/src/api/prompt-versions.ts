import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { promptVersionQuery, promptVersionsQuery } from './prompts.ts';
import type { VersionChoice } from './prompts.ts';
import type { PromptVersion } from './service.ts';

/** The loaded versions of a prompt, newest first, with paging. */
export interface Versions {
  loaded: readonly PromptVersion[];
  newest: PromptVersion | null;
  /** The newest that is no proposal. */
  latest: PromptVersion | null;
  error: unknown;
  hasOlder: boolean;
  loadingOlder: boolean;
  loadOlder(): void;
  retry(): void;
}

/** Loads the versions of a prompt page by page. */
export function useVersions(projectId: string, name: string): Versions {
  const query = useInfiniteQuery(promptVersionsQuery(projectId, name));
  const loaded = useMemo(() => query.data?.pages.flatMap((page) => page.versions) ?? [], [query.data]);
  return {
    loaded,
    newest: loaded[0] ?? null,
    latest: loaded.find(({ proposal }) => !proposal) ?? loaded[0] ?? null,
    error: query.error,
    hasOlder: query.hasNextPage,
    loadingOlder: query.isFetchingNextPage,
    loadOlder: () => void query.fetchNextPage(),
    retry: () => void query.refetch(),
  };
}

/** One version, from the loaded ones or requested. `version` is null if it does not exist, undefined while loading. */
export function useVersion(
  projectId: string,
  name: string,
  choice: VersionChoice,
  { loaded, latest }: Versions,
): { version: PromptVersion | null | undefined; error: unknown } {
  const { version: number, label } = choice;
  const isLatest = number === undefined && label === undefined;
  const known = isLatest
    ? latest
    : loaded.find((version) => (number === undefined ? version.labels.includes(label ?? '') : version.version === number));
  const asked = useQuery({
    ...promptVersionQuery(projectId, name, number === undefined ? { label } : { version: number }),
    enabled: !known && !isLatest && latest !== null,
  });
  if (known) return { version: known, error: null };
  return { version: isLatest ? undefined : asked.data, error: asked.error };
}
