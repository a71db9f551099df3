import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { get, send } from './client.ts';
import type { BodyOf } from './operations.ts';
import type { Job } from './parts.ts';
import { useWrite } from './use-write.ts';

/** What is done to a selection, and to which records. */
export type SelectionBody = NonNullable<BodyOf<'POST', '/v1/projects/{id}/selections'>>;
export type SelectionAction = SelectionBody['action'];

const pollMs = 700;
const newest = 20;
const jobsKey = (projectId: string) => ['jobs', projectId];

/** Whether nothing more happens in a job. */
export function isOver({ status }: Pick<Job, 'status'>): boolean {
  return status === 'completed' || status === 'failed' || status === 'cancelled';
}

/** The newest jobs of a project; polled while one is under way. */
export function jobsQuery(projectId: string) {
  return queryOptions({
    queryKey: jobsKey(projectId),
    queryFn: ({ signal }) => get('/v1/projects/{id}/jobs', { id: projectId, limit: newest }, signal),
    refetchInterval: ({ state }) => (state.data?.jobs.every(isOver) === false ? pollMs : false),
  });
}

/** One job; polled until it is over. */
export function jobQuery(projectId: string, jobId: string) {
  return queryOptions({
    queryKey: [...jobsKey(projectId), jobId],
    queryFn: ({ signal }) => get('/v1/projects/{id}/jobs/{jobId}', { id: projectId, jobId }, signal),
    refetchInterval: ({ state }) => (state.data && isOver(state.data) ? false : pollMs),
  });
}

/** Makes a job of a selection, and cancels one. */
export function useSelections(projectId: string) {
  const client = useQueryClient();
  const changed = () => client.invalidateQueries({ queryKey: jobsKey(projectId) });
  return {
    select: useWrite({
      mutationFn: async (body: SelectionBody) =>
        (await send('POST', '/v1/projects/{id}/selections', { id: projectId }, body)).job,
      onSuccess: changed,
    }),
    cancel: useWrite({
      mutationFn: (jobId: string) => send('POST', '/v1/projects/{id}/jobs/{jobId}/cancel', { id: projectId, jobId }),
      onSuccess: changed,
    }),
  };
}
