import { sql } from 'kysely';
import { MailError } from '../../platform/mail/index.ts';
import type { Mailer } from '../../platform/mail/index.ts';
import type { CommentsContext } from './comments-context.ts';
import { mentionMessage } from './mention-message.ts';

/** Milliseconds after which another process may send a mail that one began to send. */
const leaseMs = 120_000;
/** Milliseconds to the next attempt, by the attempts before. After the last one the mail is given up: the mark in the dashboard stays. */
const waits = [30_000, 120_000, 600_000, 1_800_000, 7_200_000];
/** Mails in progress. */
const concurrency = 4;

export interface MentionMailContext extends Pick<CommentsContext, 'db' | 'clock'> {
  mailer: Pick<Mailer, 'send'>;
  /** Where a comment is in the dashboard. */
  urlOf(comment: { projectId: string; traceId: string; spanId: string; commentId: string }): Promise<string>;
}

interface Claimed {
  comment_id: string;
  user_id: string;
  mail_attempts: number;
}

/**
 * Sends the mails of mentions that are due, to those who still belong to the project's organization. A job.
 *
 * @param failed called with each error of the mail server
 */
export async function sendMentionMail(
  context: MentionMailContext,
  signal: AbortSignal,
  failed: (error: MailError) => void,
): Promise<void> {
  const sendAll = async () => {
    while (!signal.aborted) {
      const mention = await claim(context);
      if (!mention) return;
      await sendOne(context, mention, signal, failed);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, sendAll));
}

async function sendOne(
  context: MentionMailContext,
  mention: Claimed,
  signal: AbortSignal,
  failed: (error: MailError) => void,
): Promise<void> {
  const found = await recipientOf(context, mention);
  if (!found) return ended(context, mention, null);
  const comment = { projectId: found.project_id, traceId: found.trace_id, spanId: found.span_id, commentId: mention.comment_id };
  const message = mentionMessage({ ...found, url: await context.urlOf(comment) });
  try {
    await context.mailer.send(
      {
        ...message,
        to: [found.email],
        dateMs: context.clock.now(),
        id: `${mention.comment_id}-${mention.user_id}`,
        thread: `comments-${found.first}`,
      },
      signal,
    );
  } catch (error) {
    if (!(error instanceof MailError)) throw error;
    failed(error);
    const wait = waits[mention.mail_attempts - 1];
    return ended(context, mention, wait === undefined ? null : new Date(context.clock.now() + wait));
  }
  return ended(context, mention, null);
}

interface Recipient {
  email: string;
  author: string;
  project: string;
  body: string;
  project_id: string;
  trace_id: string;
  span_id: string;
  /** The id of the first comment on the trace: mail about one trace is shown together. */
  first: string;
}

/** Undefined where there is nobody to send it to. */
async function recipientOf(
  { db }: MentionMailContext,
  { comment_id: commentId, user_id: userId }: Claimed,
): Promise<Recipient | undefined> {
  const { rows } = await sql<Recipient>`SELECT u.email, coalesce(a.name, c.author_name) AS author, p.name AS project, c.body,
      c.project_id, c.trace_id, c.span_id,
      (SELECT f.id FROM comments f WHERE f.project_id = c.project_id AND f.trace_id = c.trace_id ORDER BY f.created_at, f.id LIMIT 1) AS first
    FROM comments c JOIN projects p ON p.id = c.project_id
    JOIN memberships s ON s.organization_id = p.organization_id AND s.user_id = ${userId}::uuid
    JOIN users u ON u.id = s.user_id
    LEFT JOIN users a ON a.id = c.author_id
    WHERE c.id = ${commentId}::uuid`.execute(db);
  return rows[0];
}

/** Takes the mail that is due first. */
async function claim({ db, clock }: MentionMailContext): Promise<Claimed | null> {
  const now = new Date(clock.now()).toISOString();
  const { rows } = await sql<Claimed>`
    UPDATE comment_mentions SET mail_attempts = mail_attempts + 1,
      mail_due_at = ${new Date(clock.now() + leaseMs).toISOString()}::timestamptz
    WHERE (comment_id, user_id) = (
      SELECT comment_id, user_id FROM comment_mentions WHERE mail_due_at <= ${now}::timestamptz
      ORDER BY mail_due_at LIMIT 1 FOR UPDATE SKIP LOCKED
    ) RETURNING comment_id, user_id, mail_attempts`.execute(db);
  return rows[0] ?? null;
}

/** Records what became of an attempt. */
async function ended(
  { db }: MentionMailContext,
  { comment_id: commentId, user_id: userId }: Claimed,
  nextAt: Date | null,
): Promise<void> {
  await db
    .updateTable('comment_mentions')
    .set({ mail_due_at: nextAt })
    .where('comment_id', '=', commentId)
    .where('user_id', '=', userId)
    .execute();
}
