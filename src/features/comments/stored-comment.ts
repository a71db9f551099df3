import { sql } from 'kysely';
import { uuidOrNull } from '../../contract/common.ts';
import type { Comment, CommentAnchor } from '../../contract/comments.ts';
import { ServiceError } from '../../contract/errors.ts';
import type { Tenant } from '../../platform/http/index.ts';
import type { Database } from '../../platform/postgres/index.ts';
import { oldestComment } from './comments-context.ts';
import type { CommentsContext } from './comments-context.ts';
import type { CommentTables } from './tables.ts';

type CommentRow = CommentTables['comments'];

/** A comment as it is read: under the present name of its author. */
export type ReadComment = Omit<CommentRow, 'project_id' | 'trace_time'> & { author: string; mentions: string[] };

/** A SELECT of comments as they are read; the table is `c`. */
export function selectComments(db: Database) {
  return db
    .selectFrom('comments as c')
    .leftJoin('users as u', 'u.id', 'c.author_id')
    .select(['c.id', 'c.trace_id', 'c.span_id', 'c.body', 'c.anchor', 'c.author_id', 'c.author_name'])
    .select(['c.created_at', 'c.edited_at', 'c.resolved_at'])
    .select(sql<string>`coalesce(u.name, c.author_name)`.as('author'))
    .select(
      sql<string[]>`ARRAY(SELECT m.user_id FROM comment_mentions m JOIN users AS named ON named.id = m.user_id
        WHERE m.comment_id = c.id ORDER BY named.created_at, named.id)`.as('mentions'),
    );
}

/** A comment of a project. Errors: `not_found`, also for one of another project and an expired one. */
export async function findComment(
  context: Pick<CommentsContext, 'db' | 'clock'>,
  tenant: Pick<Tenant, 'projectId' | 'plan'>,
  commentId: string,
): Promise<ReadComment> {
  const row = await selectComments(context.db)
    .where('c.id', '=', uuidOrNull(commentId))
    .where('c.project_id', '=', tenant.projectId)
    .where('c.created_at', '>=', oldestComment(context, tenant))
    .executeTakeFirst();
  if (!row) throw noComment();
  return row;
}

export function noComment(): ServiceError {
  return new ServiceError(
    'not_found',
    'There is no such comment in this project; list the comments of the trace to see which there are.',
  );
}

/** A comment as the API returns it. */
export function toComment(row: ReadComment): Comment {
  return {
    id: row.id,
    traceId: row.trace_id,
    spanId: row.span_id || null,
    body: row.body,
    anchor: row.anchor === null ? null : (JSON.parse(row.anchor) as CommentAnchor),
    author: { id: row.author_id, name: row.author },
    createdAt: row.created_at.toISOString(),
    editedAt: row.edited_at?.toISOString() ?? null,
    resolvedAt: row.resolved_at?.toISOString() ?? null,
    mentions: row.mentions,
  };
}
