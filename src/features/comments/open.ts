import { hourMs } from '../../contract/durations.ts';
import type { Plan } from '../../contract/plans.ts';
import type { Feature, Platform } from '../../platform/feature/index.ts';
import { Mailer } from '../../platform/mail/index.ts';
import type { Database } from '../../platform/postgres/index.ts';
import type { TraceHooks } from '../trace-store/index.ts';
import type { CommentsContext } from './comments-context.ts';
import { writeNotedRows } from './commented-rows.ts';
import { deleteExpiredComments } from './delete-expired-comments.ts';
import { forgetTraces } from './forget-trace.ts';
import { commentRoutes } from './routes.ts';
import { sendMentionMail } from './send-mention-mail.ts';

export interface CommentsPorts {
  /** Every project with the plan of its organization. */
  projectPlans(): Promise<ReadonlyArray<{ projectId: string; plan: Plan }>>;
  /** The path of a project's pages in the dashboard. */
  projectPage(db: Database, projectId: string): Promise<string>;
}

export interface CommentsFeature extends Feature, TraceHooks {
  context: CommentsContext;
}

const writeEveryMs = 10_000;
const mailEveryMs = 2_000;

/** Comments on traces and spans, and mentions of members. */
export function open(
  {
    postgres,
    clickhouse,
    clock,
    log,
    publicOrigin,
  }: Pick<Platform, 'postgres' | 'clickhouse' | 'clock' | 'log' | 'publicOrigin'>,
  { projectPlans, projectPage }: CommentsPorts,
  { smtpUrl, mailFrom }: { smtpUrl: string | null; mailFrom: string | null },
): CommentsFeature {
  const { db } = postgres;
  const mailer = smtpUrl === null || mailFrom === null ? null : new Mailer({ smtpUrl, from: mailFrom });
  const context: CommentsContext = {
    db,
    clickhouse,
    clock,
    mailed: mailer !== null,
    onUnwritten: (error) => log.warn({ err: error }, 'filters do not know a comment yet; it will be tried again'),
  };
  const urlOf = async ({
    projectId,
    traceId,
    spanId,
    commentId,
  }: Record<'projectId' | 'traceId' | 'spanId' | 'commentId', string>) => {
    const query = new URLSearchParams({ ...(spanId === '' ? {} : { span: spanId }), comment: commentId });
    return `${publicOrigin()}${await projectPage(db, projectId)}/traces/${encodeURIComponent(traceId)}?${query}`;
  };
  const mailJob = (sender: Mailer) => ({
    name: 'mention-mail',
    everyMs: mailEveryMs,
    changes: ['postgres'] as const,
    run: (signal: AbortSignal) =>
      sendMentionMail({ db, clock, mailer: sender, urlOf }, signal, (error) =>
        log.warn({ err: error }, 'a mail about a mention could not be sent'),
      ),
  });
  return {
    context,
    routes: (server) => commentRoutes(server, context),
    onTracesDeleted: (projectId, traceIds) => forgetTraces(context, projectId, traceIds),
    jobs: [
      {
        name: 'write-comments',
        everyMs: writeEveryMs,
        changes: ['clickhouse', 'postgres'],
        run: (signal) => writeNotedRows(context, signal),
      },
      {
        name: 'comment-retention',
        everyMs: hourMs,
        changes: ['clickhouse', 'postgres'],
        run: async (signal) => deleteExpiredComments(context, await projectPlans(), signal),
      },
      ...(mailer === null ? [] : [mailJob(mailer)]),
    ],
    close: () => mailer?.close(),
  };
}
