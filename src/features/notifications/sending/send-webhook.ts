import { Webhook } from 'standardwebhooks';
import { SealBroken } from '../../../platform/crypto/secret-box.ts';
import { NetError } from '../../../platform/net/index.ts';
import type { IncomingAnswer } from '../../../platform/net/index.ts';
import { cutText } from '../../../platform/text/index.ts';
import type { NotificationsContext } from '../notifications-context.ts';
import { failedAttempt } from './attempt.ts';
import type { AttemptResult, SentDelivery } from './attempt.ts';

const maxResponseBytes = 4_096;
const maxQuotedLength = 200;

/**
 * Posts a message to a webhook as Standard Webhooks define it, signed (docs/semantics.md, "Notifications").
 *
 * @returns null when the signal aborted
 */
export async function sendWebhook(
  { http, publicHttp, box, clock, timeoutMs }: Pick<NotificationsContext, 'http' | 'publicHttp' | 'box' | 'clock' | 'timeoutMs'>,
  { job, body }: SentDelivery,
  signal: AbortSignal,
): Promise<AttemptResult | null> {
  const { url, sealed_secret: sealed, channel_id: channelId, reaches_private: isPrivate } = job.payload;
  const client = isPrivate === true ? http : publicHttp;
  if (url === null || sealed === null || channelId === null) throw new Error('a webhook has no URL or no secret');
  try {
    const headers = signedHeaders(box.open(sealed, channelId), job.id, clock.now(), body);
    return resultOf(
      await client.request({
        url,
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body,
        timeoutMs,
        maxResponseBytes,
        cutsBody: true,
        maxRedirects: 0,
        signal,
      }),
    );
  } catch (error) {
    if (error instanceof SealBroken)
      return failedAttempt('The secret of the channel cannot be decrypted; save it with a new one.');
    if (!(error instanceof NetError)) throw error;
    return signal.aborted ? null : failedAttempt(error.message);
  }
}

/** The headers of Standard Webhooks. */
export function signedHeaders(secret: string, id: string, nowMs: number, body: string): Record<string, string> {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(nowMs / 1_000)),
    'webhook-signature': new Webhook(secret).sign(id, new Date(nowMs), body),
  };
}

function resultOf({ status, body }: IncomingAnswer): AttemptResult {
  if (status >= 200 && status < 300) return { verdict: 'delivered', statusCode: status, error: null };
  if (status === 410)
    return { verdict: 'gone', statusCode: status, error: 'The receiver answered 410, which disables the channel.' };
  if (status >= 300 && status < 400)
    return failedAttempt(`The receiver answered ${status}; redirects are not followed, so use the final URL.`, status);
  const quoted = cutText(
    body
      .toString('utf8')
      .replaceAll(/[\p{C}\s]+/gu, ' ')
      .trim(),
    maxQuotedLength,
    '…',
  );
  return failedAttempt(`The receiver answered ${status}${quoted === '' ? '.' : `: ${quoted}`}`, status);
}
