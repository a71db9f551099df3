import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { ListMentionsQuery, Mention } from '../../contract/comments.ts';
import { planNames, retentionCutoff } from '../../contract/plans.ts';
import { byCreation } from '../../platform/keyset/index.ts';
import { cutText } from '../../platform/text/index.ts';
import type { CommentsContext } from './comments-context.ts';

/** Characters of a comment that its mention shows. */
const maxExcerpt = 200;
const newestFirst = byCreation('desc', { createdAt: 'm.created_at', id: 'm.comment_id' });

/** The comments that mention a person in projects of organizations that the person belongs to, newest first. */
export async function listMentions(
  context: Pick<CommentsContext, 'db' | 'clock'>,
  userId: string,
  { unread, ...page }: ListMentionsQuery,
): Promise<{ mentions: Mention[]; nextCursor: string | null }> {
  let select = context.db
    .selectFrom('comment_mentions as m')
    .innerJoin('comments as c', 'c.id', 'm.comment_id')
    .innerJoin('projects as p', 'p.id', 'c.project_id')
    .innerJoin('organizations as o', 'o.id', 'p.organization_id')
    .innerJoin('memberships as s', (on) => on.onRef('s.organization_id', '=', 'o.id').onRef('s.user_id', '=', 'm.user_id'))
    .leftJoin('users as u', 'u.id', 'c.author_id')
    .select(['m.comment_id', 'm.created_at', 'm.read_at', 'c.project_id', 'c.trace_id', 'c.span_id', 'c.body', 'c.author_id'])
    .select(sql<string>`coalesce(u.name, c.author_name)`.as('author'))
    .where('m.user_id', '=', userId)
    .where(sql`least(c.created_at, c.trace_time)`, '>=', edgeOf(context));
  if (unread === 'true') select = select.where('m.read_at', 'is', null);
  const { rows, nextCursor } = await newestFirst.read(select, page);
  const mentions = rows.map((row) => ({
    commentId: row.comment_id,
    projectId: row.project_id,
    traceId: row.trace_id,
    spanId: row.span_id || null,
    author: { id: row.author_id, name: row.author },
    excerpt: cutText(row.body, maxExcerpt, '…'),
    createdAt: row.created_at.toISOString(),
    readAt: row.read_at?.toISOString() ?? null,
  }));
  return { mentions, nextCursor };
}

/** SQL of the retention edge of an organization `o`. */
function edgeOf({ clock }: Pick<CommentsContext, 'clock'>): RawBuilder<Date> {
  const nowMs = clock.now();
  const cases = planNames.map(
    (plan) => sql`WHEN ${plan} THEN ${new Date(retentionCutoff(plan, nowMs)).toISOString()}::timestamptz`,
  );
  return sql<Date>`CASE o.plan ${sql.join(cases, sql` `)} END`;
}
