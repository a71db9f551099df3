import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { largestLimit } from '../../../src/contract/limits.ts';
import { get, send } from './client.ts';
import type { Comment, CommentBody, CommentChange } from './service.ts';
import { useWrite } from './use-write.ts';

/** Comments of a trace that are loaded, the oldest first. */
const maxComments = 2_000;
/** Mentions that the menu lists. */
const listedMentions = 30;
/** A count beyond this is not exact. */
export const maxUnreadCount = 9;
const unreadPollMs = 60_000;

const commentsKey = (projectId: string, traceId: string) => ['comments', projectId, traceId];
const mentionsKey = ['mentions'];

/** The comments on a trace and its spans, oldest first. */
export function commentsQuery(projectId: string, traceId: string) {
  return queryOptions({
    queryKey: commentsKey(projectId, traceId),
    queryFn: async ({ signal }): Promise<Comment[]> => {
      const comments: Comment[] = [];
      let cursor: string | null | undefined;
      do {
        const page = await get(
          '/v1/projects/{id}/comments',
          { id: projectId, traceId, limit: largestLimit, cursor: cursor ?? undefined },
          signal,
        );
        comments.push(...page.comments);
        cursor = page.nextCursor;
      } while (cursor !== null && comments.length < maxComments);
      return comments;
    },
  });
}

/** Writes, changes and deletes comments of a trace. Requires `comments:write`. The loaded comments follow at once. */
export function useCommentActions(projectId: string, traceId: string) {
  const client = useQueryClient();
  const queryKey = commentsKey(projectId, traceId);
  const show = async (next: (comments: readonly Comment[]) => Comment[]) => {
    await client.cancelQueries({ queryKey });
    client.setQueryData<Comment[]>(queryKey, (comments) => (comments === undefined ? comments : next(comments)));
  };
  return {
    write: useWrite({
      mutationFn: (body: Omit<CommentBody, 'traceId'>) =>
        send('POST', '/v1/projects/{id}/comments', { id: projectId }, { ...body, traceId }),
      onSuccess: ({ comment }) => show((comments) => [...comments.filter(({ id }) => id !== comment.id), comment]),
    }),
    change: useWrite({
      mutationFn: ({ commentId, fields }: { commentId: string; fields: CommentChange }) =>
        send('PATCH', '/v1/projects/{id}/comments/{commentId}', { id: projectId, commentId }, fields),
      onSuccess: ({ comment }) => show((comments) => comments.map((one) => (one.id === comment.id ? comment : one))),
    }),
    remove: useWrite({
      mutationFn: (commentId: string) => send('DELETE', '/v1/projects/{id}/comments/{commentId}', { id: projectId, commentId }),
      onSuccess: (_none, commentId) => show((comments) => comments.filter(({ id }) => id !== commentId)),
    }),
  };
}

/** The newest unread mentions of the viewer, one more than {@link maxUnreadCount}, refreshed every minute. */
export const unreadMentionsQuery = queryOptions({
  queryKey: [...mentionsKey, 'unread'],
  queryFn: ({ signal }) => get('/v1/me/mentions', { unread: 'true', limit: maxUnreadCount + 1 }, signal),
  staleTime: unreadPollMs,
  refetchInterval: unreadPollMs,
});

/** The newest mentions of the viewer, read ones too. */
export const mentionsQuery = queryOptions({
  queryKey: [...mentionsKey, 'newest'],
  queryFn: ({ signal }) => get('/v1/me/mentions', { limit: listedMentions }, signal),
});

/** Marks mentions of the viewer as read: those in some comments, or all. */
export function useReadMentions() {
  const client = useQueryClient();
  return useWrite({
    mutationFn: (commentIds?: string[]) =>
      send('POST', '/v1/me/mentions/read', {}, commentIds === undefined ? {} : { commentIds }),
    onSuccess: () => client.invalidateQueries({ queryKey: mentionsKey }),
  });
}
