import { queryOptions } from '@tanstack/react-query';
import { send } from './client.ts';
import type { BodyOf } from './operations.ts';

type Asked = BodyOf<'POST', '/v1/projects/{id}/filter-suggestions'>;

/** Completions of a filter at the cursor. */
export function filterSuggestionsQuery(projectId: string, asked: Asked) {
  return queryOptions({
    queryKey: ['filter-suggestions', projectId, asked],
    queryFn: ({ signal }) => send('POST', '/v1/projects/{id}/filter-suggestions', { id: projectId }, asked, signal),
    staleTime: 60_000,
    retry: false,
  });
}
