import type { UserActor } from '../../contract/actor.ts';
import type { CommentAnchor } from '../../contract/comments.ts';
import { changeComment, createComment } from '../../features/comments/index.ts';
import type { CommentsFeature } from '../../features/comments/index.ts';
import type { Tenant } from '../../platform/http/index.ts';

interface Written {
  traceId: string;
  spanId?: string;
  body: string;
  anchor?: CommentAnchor;
  resolved?: boolean;
}

/**
 * Writes comments on a failed call, on the dearest trace and on a tool that was called twice. Call when the traces can be read.
 *
 * @param author whom the comments mention too
 * @returns how many there are
 */
export async function seedComments(
  { context }: Pick<CommentsFeature, 'context'>,
  tenant: Tenant,
  author: UserActor,
): Promise<number> {
  const by = { tenant, actor: author, administers: true };
  const comments = await commentsOf(context, tenant, author.email);
  for (const { resolved, ...comment } of comments) {
    const { id } = await createComment(context, by, comment);
    if (resolved) await changeComment(context, by, id, { resolved });
  }
  return comments.length;
}

async function commentsOf(
  { clickhouse }: Pick<CommentsFeature['context'], 'clickhouse'>,
  { projectId }: Tenant,
  email: string,
): Promise<Written[]> {
  const reader = clickhouse.forTenant({ projectId, oldestMs: null });
  const one = async (sql: string) => (await reader.query<{ trace: string; span: string }>(`${sql} LIMIT 1`, {}))[0];
  const failed = await one(
    "SELECT trace_id AS trace, span_id AS span FROM spans FINAL WHERE kind = 'llm' AND status = 'error' ORDER BY start_time DESC, span_id",
  );
  const dear = await one("SELECT trace_id AS trace, '' AS span FROM traces FINAL ORDER BY cost DESC, trace_id");
  const twice = await one(
    `SELECT trace_id AS trace, max(span_id) AS span FROM spans FINAL WHERE kind = 'tool' AND status != 'error'
GROUP BY trace_id, name HAVING count() > 1 ORDER BY trace_id`,
  );
  return [
    ...(failed
      ? [
          { traceId: failed.trace, body: 'The customer has written again: they got no answer.', resolved: true },
          {
            traceId: failed.trace,
            spanId: failed.span,
            body: `The third time this week. @${email}, do we fall back to \`gpt-4o-mini\` when this happens?`,
          },
        ]
      : []),
    ...(dear
      ? [
          {
            traceId: dear.trace,
            body: 'Why does this cost so much more than the others?\n\n- the **whole history** is sent with each turn\n- nothing of it is cached',
          },
        ]
      : []),
    ...(twice
      ? [
          {
            traceId: twice.trace,
            spanId: twice.span,
            body: 'The same tool twice with other arguments. One call with both ids would do.',
            anchor: { field: 'input' as const, path: 'arguments' },
          },
        ]
      : []),
  ];
}
