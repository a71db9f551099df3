import { MailError } from '../../../platform/mail/index.ts';
import { addressesOf } from '../channels-of.ts';
import type { NotificationsContext } from '../notifications-context.ts';
import { maxRecipientsOfDay, refusedRecipients, returnRecipients, takeRecipients } from '../recipients.ts';
import { mailContent } from './mail-content.ts';
import { failedAttempt } from './attempt.ts';
import type { AttemptResult, SentDelivery } from './attempt.ts';

type Sending = Pick<NotificationsContext, 'db' | 'clock' | 'mailer' | 'mailRecipients' | 'missingMailSettings'>;

const overLimit = `This project's mail went to ${maxRecipientsOfDay.toLocaleString('en')} recipients today (UTC), which is the limit; send it again tomorrow.`;
const notAllowed = 'None of the addresses may get mail of this service (SPANWISE_MAIL_RECIPIENTS); name others in the channel.';

/**
 * Sends a message to all addresses of an email channel that may get mail. Addresses that the server refuses while it takes others are not tried again.
 *
 * @returns null when the signal aborted
 */
export async function sendEmail(context: Sending, delivery: SentDelivery, signal: AbortSignal): Promise<AttemptResult | null> {
  const { mailer, missingMailSettings } = context;
  if (mailer === null) return failedAttempt(`The service has no setting ${missingMailSettings.join(' and ')}.`);
  const { job } = delivery;
  const named = [...new Set(addressesOf({ addresses: job.payload.addresses ?? null }))];
  const without = await refusedRecipients(context, job.projectId, named);
  const to = named.filter((address) => !without.includes(address));
  if (to.length === 0) return { verdict: 'refused', statusCode: null, error: notAllowed };
  if (!(await takeRecipients(context, job.projectId, to.length))) {
    return { verdict: 'refused', statusCode: null, error: overLimit };
  }
  try {
    const { refused } = await mailer.send(messageOf(delivery, to), signal);
    const notSent = without.length === 0 ? [] : [`Not sent to ${without.join(', ')} (SPANWISE_MAIL_RECIPIENTS).`];
    const errors = [...(refused === null ? [] : [refused]), ...notSent];
    return { verdict: 'delivered', statusCode: null, error: errors.length === 0 ? null : errors.join(' ') };
  } catch (error) {
    await returnRecipients(context, job.projectId, to.length);
    if (!(error instanceof MailError)) throw error;
    return signal.aborted ? null : failedAttempt(error.message);
  }
}

function messageOf({ job, type, body, incidentId, createdAtMs }: SentDelivery, to: string[]) {
  const thread = incidentId === null ? null : `incident-${incidentId}`;
  return { ...mailContent(type, body), to, dateMs: createdAtMs, id: job.id, thread };
}
