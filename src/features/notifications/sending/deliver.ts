import type { ProjectClaim } from '../../../platform/jobs/leased-queue/index.ts';
import { withAttempt } from '../attempts.ts';
import type { DeliveryJob, DeliveryRun } from '../delivery-jobs.ts';
import { disableChannel } from '../disable-channel.ts';
import type { NotificationsContext } from '../notifications-context.ts';
import type { SentDelivery } from './attempt.ts';
import { sendEmail } from './send-email.ts';
import { sendWebhook } from './send-webhook.ts';

/**
 * Makes one attempt at each delivery of a claim (docs/semantics.md, "Notifications"). An attempt that is interrupted has no outcome and is made
 * again.
 */
export async function deliver(
  context: NotificationsContext,
  { jobs }: ProjectClaim<DeliveryJob['payload']>,
  signal: AbortSignal,
): Promise<DeliveryRun[]> {
  const runs = await Promise.all(jobs.map((job) => inTurn(context, job, signal)));
  return runs.filter((run) => run !== null);
}

/** Channels of a project with the same URL or addresses have one receiver. */
function receiverOf({ projectId, payload: { url, addresses } }: DeliveryJob): string {
  return `${projectId} ${url ?? addresses}`;
}

/** Puts a delivery off, without an attempt, while others to its receiver take long. */
async function inTurn(context: NotificationsContext, job: DeliveryJob, signal: AbortSignal): Promise<DeliveryRun | null> {
  const { turns, turnMs } = context;
  const leave = await turns.enter(receiverOf(job), turnMs);
  if (!leave) return { job, outcome: { kind: 'retry', error: null, afterMs: turnMs, counts: false } };
  try {
    return await attempt(context, job, signal);
  } finally {
    leave();
  }
}

async function attempt(context: NotificationsContext, job: DeliveryJob, signal: AbortSignal): Promise<DeliveryRun | null> {
  const { clock, jobs } = context;
  const startedMs = clock.now();
  const delivery = await withMessage(context, job);
  if (!delivery) return { job, outcome: { kind: 'removed' } };
  const channel = job.payload.url === null ? 'email' : 'webhook';
  const result = await (channel === 'email' ? sendEmail : sendWebhook)(context, delivery, signal);
  if (!result) return null;
  const { verdict, statusCode, error } = result;
  const results = { history: withAttempt(job.payload.history, { at: new Date(startedMs).toISOString(), statusCode, error }) };
  if (verdict === 'delivered') {
    context.counted(channel, 'delivered');
    return { job, outcome: { kind: 'ended', status: 'delivered', results } };
  }
  if (verdict === 'gone') await disableChannel(context, job.payload);
  const outcome = jobs.failure(job, error ?? '', { retryable: verdict === 'again', results });
  context.counted(channel, outcome.kind === 'retry' ? 'retry' : 'failed');
  return { job, outcome };
}

/** null: the project was deleted meanwhile. */
async function withMessage({ db }: NotificationsContext, job: DeliveryJob): Promise<SentDelivery | null> {
  const message = await db
    .selectFrom('notification_messages')
    .select(['type', 'incident_id', 'body', 'created_at'])
    .where('id', '=', job.payload.message_id ?? '')
    .executeTakeFirst();
  if (!message) return null;
  const { type, incident_id: incidentId, body, created_at: createdAt } = message;
  return { job, type, incidentId, body, createdAtMs: createdAt.getTime() };
}
