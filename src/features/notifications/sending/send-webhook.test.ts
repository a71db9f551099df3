import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { signedHeaders } from './send-webhook.ts';

/** A vector of the Standard Webhooks project; the file names its source. */
const vector = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../../test/fixtures/webhooks/standard-webhooks.json'), 'utf8'),
) as Record<'secret' | 'webhookId' | 'webhookTimestamp' | 'webhookSignature' | 'body', string>;

it.each([0, 999])('the headers are those of the vector of Standard Webhooks, %d ms into its second', (ms) => {
  const { secret, webhookId, webhookTimestamp, body, webhookSignature } = vector;
  expect(signedHeaders(secret, webhookId, Number(webhookTimestamp) * 1_000 + ms, body)).toEqual({
    'webhook-id': webhookId,
    'webhook-timestamp': webhookTimestamp,
    'webhook-signature': webhookSignature,
  });
});
