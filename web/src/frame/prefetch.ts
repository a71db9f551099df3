import type { QueryClient } from '@tanstack/react-query';
import { sessionKey } from '../api/session.ts';
import type { CurrentSession } from '../api/service.ts';
import type { ProjectPath } from '../paths.ts';
import { scopeOf } from './project-context.ts';

/** Heavy data is not prefetched when the viewer only points at a link. */
type Weight = 'light' | 'heavy';
type Read<Search> = (client: QueryClient, projectId: string, search: Search) => Array<Promise<void>>;

/**
 * Prefetches the data of a page while its code loads, or when the viewer points at a link to it. Errors are handled by the page, which
 * sends the same request.
 */
export function prefetch<At extends ProjectPath, Search = unknown>(weight: Weight, read: (at: At) => Read<Search>) {
  return ({ context: { client }, params, deps, preload }: Loading<At, Search>): void => {
    const session = client.getQueryData<CurrentSession>(sessionKey);
    const scope = session ? scopeOf(session, params) : null;
    if (scope === null || (preload && weight === 'heavy')) return;
    // Prefetching never rejects.
    void Promise.all(read(params)(client, scope.projectId, deps));
  };
}

/** Arguments of a route loader. */
interface Loading<At, Search> {
  context: { client: QueryClient };
  params: At;
  deps: Search;
  /** The viewer points at a link and has not followed it. */
  preload: boolean;
}
