import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { RangeRequest } from '../range.ts';
import { get, send } from './client.ts';
import type { ListUsersQuery } from './parts.ts';
import { useWrite } from './use-write.ts';

const pageSize = 100;

/** The users of the application, paginated. */
export function usersQuery(projectId: string, query: Omit<ListUsersQuery, 'cursor' | 'limit'>) {
  return infiniteQueryOptions({
    queryKey: ['users', projectId, query],
    queryFn: ({ pageParam, signal }) =>
      get('/v1/projects/{id}/users', { id: projectId, ...query, limit: pageSize, cursor: pageParam || undefined }, signal),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
  });
}

/** One user of the application in a time range. */
export function userQuery(projectId: string, userId: string, range: RangeRequest) {
  return queryOptions({
    queryKey: ['user', projectId, userId, range],
    queryFn: ({ signal }) => get('/v1/projects/{id}/users/{userId}', { id: projectId, userId, ...range }, signal),
  });
}

/** What a deletion changes. */
export const deletedLists = [
  'user',
  'users',
  'trace',
  'traces',
  'trace-counts',
  'spans',
  'sessions',
  'session-detail',
  'trace-comparison',
];

/** Starts the job that deletes all data of a user. Requires `traces:delete`. */
export function useDeleteUser(projectId: string) {
  return useWrite({
    mutationFn: async (userId: string) =>
      (await send('DELETE', '/v1/projects/{id}/users/{userId}', { id: projectId, userId })).job,
  });
}
