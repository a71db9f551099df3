import { z } from 'zod';
import { pageQuery, storable, timestamp, uuid } from './common.ts';
import { telemetryId } from './ingest.ts';
import { maxCommentLength } from './limits.ts';

/** Most people that a comment mentions. */
export const maxMentions = 50;
/** Most characters of a path into a payload. */
const maxPathLength = 1_000;

export const anchorFields = ['input', 'output'] as const;
export type AnchorField = (typeof anchorFields)[number];

const offset = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);

export const commentAnchor = z
  .strictObject({
    field: z.enum(anchorFields),
    path: z
      .string()
      .min(1)
      .max(maxPathLength)
      .refine(...storable)
      .optional()
      .describe('place in the JSON of the field, such as messages.0.content; left out: the whole field'),
    start: offset
      .optional()
      .describe('of a part of the text: its first character, in UTF-16 units; left out: from its beginning'),
    end: offset.optional().describe('of a part of the text: behind its last character; left out: to its end'),
  })
  .refine(({ start = 0, end = Infinity }) => end > start, { path: ['end'], error: 'must be greater than start' });
export type CommentAnchor = z.output<typeof commentAnchor>;

const body = z
  .string()
  .max(maxCommentLength)
  .refine((text) => text.trim() !== '', 'must not be empty')
  .refine(...storable)
  .describe('Markdown; @email of a member mentions them');

export const commentBody = z.strictObject({
  traceId: telemetryId,
  spanId: telemetryId.nullish().describe('left out: of the trace as a whole'),
  body,
  anchor: commentAnchor.nullish().describe('the part of input or output that it is about'),
});
export type CommentBody = z.output<typeof commentBody>;

export const commentChange = z
  .strictObject({
    body: body.describe('by its author alone'),
    resolved: z.boolean(),
  })
  .partial()
  .refine((change) => Object.keys(change).length > 0, 'must name what to change');
export type CommentChange = z.output<typeof commentChange>;

export const comment = z.object({
  id: uuid,
  traceId: z.string(),
  spanId: z.string().nullable(),
  body: z.string(),
  anchor: z
    .object({
      field: z.enum(anchorFields),
      path: z.string().optional(),
      start: z.number().int().optional(),
      end: z.number().int().optional(),
    })
    .nullable(),
  author: z.object({ id: uuid, name: z.string() }),
  createdAt: timestamp,
  editedAt: timestamp.nullable().describe('of the last change of the body'),
  resolvedAt: timestamp.nullable(),
  mentions: z.array(uuid).describe('ids of the users that the body mentions'),
});
export type Comment = z.output<typeof comment>;

export const commentAnswer = z.object({ comment });
export const commentPage = z.object({ comments: z.array(comment), nextCursor: z.string().nullable() });

export const commentsParams = z.object({ id: uuid });
export const commentParams = z.object({ id: uuid, commentId: z.string() });
export const listCommentsQuery = pageQuery.extend({ traceId: z.string().describe('comments on this trace and its spans') });
export type ListCommentsQuery = z.output<typeof listCommentsQuery>;
export const createCommentQuery = z.object({ traceId: z.string().optional().describe('that of the body') });

export const listMentionsQuery = pageQuery.extend({
  unread: z.enum(['true', 'false']).default('false').describe('true: only those that are not read'),
});
export type ListMentionsQuery = z.output<typeof listMentionsQuery>;

export const mention = z.object({
  commentId: uuid,
  projectId: uuid,
  traceId: z.string(),
  spanId: z.string().nullable(),
  author: z.object({ id: uuid, name: z.string() }).describe('of the comment'),
  excerpt: z.string().describe('the first 200 characters of the comment'),
  createdAt: timestamp,
  readAt: timestamp.nullable(),
});
export type Mention = z.output<typeof mention>;
export const mentionPage = z.object({ mentions: z.array(mention), nextCursor: z.string().nullable() });

/** Most mentions that one request marks as read by their ids. */
const maxRead = 1_000;
export const readMentionsBody = z
  .strictObject({ commentIds: z.array(uuid).max(maxRead).optional().describe('left out: all') })
  .nullish();
