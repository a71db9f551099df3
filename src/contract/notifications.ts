import { z } from 'zod';
import { pageQuery, storable, timestamp, uuid } from './common.ts';

/** Channels of an alert rule, and addresses of an email channel. */
export const maxChannels = 10;
const maxAddresses = 20;
const maxUrl = 2_048;
const minSecretBytes = 24;
const maxSecretBytes = 64;

const secret = z
  .string()
  .refine(isWebhookSecret, `must be whsec_ and then ${minSecretBytes} to ${maxSecretBytes} bytes in base64`)
  .describe('signs requests (Standard Webhooks); made if absent; a webhook saved again with the same URL keeps its own');

function isWebhookSecret(text: string): boolean {
  const encoded = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(text)?.[1];
  if (encoded === undefined) return false;
  const bytes = Buffer.from(encoded, 'base64');
  return bytes.toString('base64') === encoded && bytes.length >= minSecretBytes && bytes.length <= maxSecretBytes;
}

const emailAddress = z.email('must be an email address, for example on-call@example.com').max(254);
const webhookUrl = z
  .url({ protocol: /^https?$/, error: 'must be a URL that starts with http:// or https://' })
  .max(maxUrl)
  .refine(...storable)
  .refine((text) => {
    const url = URL.parse(text);
    return url === null || (url.username === '' && url.password === '' && url.hash === '');
  }, 'must not have a user name, a password or a fragment');

export const channelBody = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('email'), to: z.array(emailAddress).min(1).max(maxAddresses) }),
  z.strictObject({ type: z.literal('webhook'), url: webhookUrl, secret: secret.optional() }),
]);
export type ChannelBody = z.output<typeof channelBody>;
export const channelBodies = z.array(channelBody).max(maxChannels);

const disabledAt = timestamp.nullable().describe('since when the receiver answers 410; saving the channels enables it again');
export const channel = z.discriminatedUnion('type', [
  z.object({ id: uuid, type: z.literal('email'), to: z.array(z.string()), disabledAt }),
  z.object({
    id: uuid,
    type: z.literal('webhook'),
    url: z.string().describe('its origin alone for an API key and for who lacks alerts:manage'),
    hasSecret: z.literal(true),
    secret: z.string().optional().describe('only in the response to the request that set it'),
    disabledAt,
  }),
]);
export type ChannelRecord = z.output<typeof channel>;

export const notificationTypes = [
  'incident.opened',
  'incident.reopened',
  'incident.acknowledged',
  'incident.resolved',
  'model_lifecycle.raised',
  'test',
] as const;
export type NotificationType = (typeof notificationTypes)[number];

export const deliveryStatuses = ['pending', 'delivered', 'failed'] as const;

export const delivery = z.object({
  id: uuid.describe('the webhook-id of every attempt'),
  channel: z.object({
    id: uuid,
    type: z.enum(['email', 'webhook']),
    url: z.string().optional(),
    to: z.array(z.string()).optional(),
  }),
  type: z.enum(notificationTypes),
  incidentId: uuid.nullable(),
  status: z.enum(deliveryStatuses),
  attempts: z.array(
    z.object({
      at: timestamp,
      statusCode: z.number().int().nullable().describe('null: no answer came, or the channel is email'),
      error: z.string().nullable().describe("the receiver's own text is shown to owners and admins"),
    }),
  ),
  nextAttemptAt: timestamp.nullable(),
  createdAt: timestamp,
});
export type Delivery = z.output<typeof delivery>;

export const deliveryPage = z.object({
  deliveries: z.array(delivery).describe('newest first'),
  nextCursor: z.string().nullable(),
});
export type DeliveryPage = z.output<typeof deliveryPage>;
export const listDeliveriesQuery = pageQuery;
export type ListDeliveriesQuery = z.output<typeof pageQuery>;
export const queuedDeliveries = z.object({ deliveries: z.array(uuid) });
