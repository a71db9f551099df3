import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { RangeRequest } from '../range.ts';
import { get, send } from './client.ts';
import type { ListUsersQuery } from './parts.ts';
import type { Job } from './service.ts';
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

const pollMs = 700;

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

/** Whether nothing more happens in a job. */
export function isOver({ status }: Pick<Job, 'status'>): boolean {
  return status === 'completed' || status === 'failed' || status === 'cancelled';
}

/** The job that deletes a user's data; polls until it is over. */
export function userDeletionQuery(projectId: string, jobId: string) {
  return queryOptions({
    queryKey: ['jobs', projectId, jobId],
    queryFn: ({ signal }) => get('/v1/projects/{id}/jobs/{jobId}', { id: projectId, jobId }, signal),
    refetchInterval: ({ state: { data } }) => (data !== undefined && isOver(data) ? false : pollMs),
  });
}

/** Starts the job that deletes all data of a user. Requires `traces:delete`. */
export function useDeleteUser(projectId: string) {
  return useWrite({
    mutationFn: async (userId: string) =>
      (await send('DELETE', '/v1/projects/{id}/users/{userId}', { id: projectId, userId })).job,
  });
}
