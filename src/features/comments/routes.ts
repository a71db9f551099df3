import type { FastifyRequest } from 'fastify';
import { ServiceError } from '../../contract/errors.ts';
import * as wire from '../../contract/comments.ts';
import { administers, route, tenantOf, userActorOf, userOf } from '../../platform/http/index.ts';
import type { Access, Server } from '../../platform/http/index.ts';
import { changeComment } from './change-comment.ts';
import type { CommentActor, CommentsContext } from './comments-context.ts';
import { createComment } from './create-comment.ts';
import { deleteComment } from './delete-comment.ts';
import { listComments } from './list-comments.ts';
import { listMentions } from './list-mentions.ts';
import { readMentions } from './read-mentions.ts';
import { findComment } from './stored-comment.ts';

const tags = ['comments'];
// A viewer who is mentioned reads what is written to them.
const reading: Access = { who: 'session', scope: 'project', permission: 'dashboard:read' };
const writing: Access = { who: 'session', scope: 'project', permission: 'comments:write' };
const own: Access = { who: 'session', scope: 'user' };

/** Routes of comments and mentions (docs/semantics.md, "Comments"). */
export function commentRoutes(app: Server, context: CommentsContext): void {
  route(app, 'POST', '/v1/projects/:id/comments', {
    access: writing,
    limits: 'fields',
    tags,
    summary: 'Comment on a trace or span',
    params: wire.commentsParams,
    query: wire.createCommentQuery,
    body: wire.commentBody,
    answer: [201, wire.commentAnswer],
    errors: [404],
    handle: async (request) => {
      const { query, body } = request;
      if (query.traceId !== undefined && query.traceId !== body.traceId)
        throw new ServiceError('invalid_request', 'Send the same traceId in query and body, or none in the query.', {
          details: [{ path: '?traceId', message: 'must be that of the body' }],
        });
      return { comment: await createComment(context, byOf(request), body) };
    },
  });
  route(app, 'GET', '/v1/projects/:id/comments', {
    access: reading,
    tags,
    summary: 'Comments on a trace and its spans',
    params: wire.commentsParams,
    query: wire.listCommentsQuery,
    answer: wire.commentPage,
    handle: (request) => listComments(context, tenantOf(request), request.query),
  });
  const one = {
    access: writing,
    resource: async (request: FastifyRequest) => {
      await findComment(context, tenantOf(request), (request.params as { commentId: string }).commentId);
    },
    tags,
    params: wire.commentParams,
  };
  route(app, 'PATCH', '/v1/projects/:id/comments/:commentId', {
    ...one,
    limits: 'fields',
    summary: 'Edit or resolve a comment',
    description: 'The body is changed by its author alone.',
    body: wire.commentChange,
    answer: wire.commentAnswer,
    handle: async (request) => ({ comment: await changeComment(context, byOf(request), request.params.commentId, request.body) }),
  });
  route(app, 'DELETE', '/v1/projects/:id/comments/:commentId', {
    ...one,
    summary: 'Delete a comment',
    description: 'By its author, an owner or an admin alone.',
    answer: 204,
    handle: (request) => deleteComment(context, byOf(request), request.params.commentId),
  });
  route(app, 'GET', '/v1/me/mentions', {
    access: own,
    tags,
    summary: 'Comments that mention you',
    query: wire.listMentionsQuery,
    answer: wire.mentionPage,
    handle: (request) => listMentions(context, userOf(request).userId, request.query),
  });
  route(app, 'POST', '/v1/me/mentions/read', {
    access: own,
    tags,
    summary: 'Mark mentions as read',
    body: wire.readMentionsBody,
    answer: 204,
    handle: (request) => readMentions(context, userOf(request).userId, request.body?.commentIds),
  });
}

function byOf(request: FastifyRequest): CommentActor {
  return { tenant: tenantOf(request), actor: userActorOf(request), administers: administers(request) };
}
