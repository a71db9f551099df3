import { MailError } from '../../../platform/mail/index.ts';
import { addressesOf } from '../channels-of.ts';
import type { NotificationsContext } from '../notifications-context.ts';
import { failedAttempt } from './attempt.ts';
import type { AttemptResult, SentDelivery } from './attempt.ts';
import { mailContent } from './mail-content.ts';

/**
 * Sends a message to all addresses of an email channel. Addresses that the server refuses while it takes others are not tried again.
 *
 * @returns null when the signal aborted
 */
export async function sendEmail(
  { mailer, missingMailSettings }: Pick<NotificationsContext, 'mailer' | 'missingMailSettings'>,
  { job, type, body, incidentId, createdAtMs }: SentDelivery,
  signal: AbortSignal,
): Promise<AttemptResult | null> {
  if (mailer === null) return failedAttempt(`The service has no setting ${missingMailSettings.join(' and ')}.`);
  try {
    const { refused } = await mailer.send(
      {
        ...mailContent(type, body),
        to: [...new Set(addressesOf({ addresses: job.payload.addresses ?? null }))],
        dateMs: createdAtMs,
        id: job.id,
        thread: incidentId === null ? null : `incident-${incidentId}`,
      },
      signal,
    );
    return { verdict: 'delivered', statusCode: null, error: refused };
  } catch (error) {
    if (!(error instanceof MailError)) throw error;
    return signal.aborted ? null : failedAttempt(error.message);
  }
}
