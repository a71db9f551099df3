import { z } from 'zod';
import { instant, pageQuery, storable, timestamp, uuid } from './common.ts';

/** Maximum prices of one project; each request that is accepted keeps a copy of them in the log. */
export const maxOwnPrices = 500;
/** Maximum US dollars per million tokens. */
export const maxRate = 1_000_000;
/** Maximum models that one repricing names. */
export const maxRepricedModels = 100;

/** As recorded on calls, so neither trimmed nor limited to a kind of letters. */
const model = z
  .string()
  .min(1)
  .max(256)
  .refine(...storable);
const rate = z.number().min(0).max(maxRate);
/** PostgreSQL does not read the year 0. */
const day = z.iso.date().refine((text) => !text.startsWith('0000'));
const moment = z.union([day, instant], { error: 'must be a date such as 2026-11-01 or an ISO 8601 timestamp' });

export const priceBody = z.strictObject({
  inputPerMillion: rate.describe('US dollars per million input tokens'),
  outputPerMillion: rate.describe('US dollars per million output tokens, reasoning included'),
  cachedInputPerMillion: rate.nullish().describe('of cached input; absent: as the rest of the input'),
  cacheWritePerMillion: rate.nullish().describe('of input that is written to a cache; absent: as the rest of the input'),
  from: moment.nullish().describe('start of the first calls that it applies to, a date or a timestamp; absent: all calls'),
});
export type PriceBody = z.output<typeof priceBody>;

/** A project's own price of a model. */
export const ownPrice = z.object({
  model: z.string(),
  inputPerMillion: z.number(),
  outputPerMillion: z.number(),
  cachedInputPerMillion: z.number().nullable(),
  cacheWritePerMillion: z.number().nullable(),
  from: z.string().nullable().describe('a date as it was sent, or a timestamp'),
  updatedAt: timestamp,
  updatedBy: z.string(),
});
export type OwnPriceRecord = z.output<typeof ownPrice>;
export const pricePage = z.object({ prices: z.array(ownPrice), nextCursor: z.string().nullable() });
export type PricePage = z.output<typeof pricePage>;

export const pricesParams = z.object({ id: z.string() });
export const priceParams = z.object({ id: z.string(), model });
export const listPricesQuery = pageQuery;
export type ListPricesQuery = z.output<typeof listPricesQuery>;

export const repriceBody = z.strictObject({
  from: moment.describe('earliest start time; a date is its beginning'),
  to: moment.describe('latest start time, to the millisecond; a date is its end'),
  models: z.array(model).min(1).max(maxRepricedModels).optional().describe('response or requested models; absent: all'),
  dryRun: z.boolean().default(false).describe('count what would change, and change nothing'),
});
export type RepriceBody = z.output<typeof repriceBody>;

export const repricingStatuses = ['queued', 'running', 'completed', 'failed'] as const;
export const startedRepricing = z.object({ id: uuid, status: z.enum(repricingStatuses) });
export type StartedRepricing = z.output<typeof startedRepricing>;

/** A repricing, with its figures so far. */
export const repricing = startedRepricing.extend({
  spans: z.number().int().describe('spans that name a model and whose cost the client did not send'),
  changed: z.number().int().describe('those of them whose cost or cost status changes'),
  costBefore: z.number().describe('cost of the calls among them, in US dollars'),
  costAfter: z.number(),
  from: timestamp.describe('earliest start time'),
  to: timestamp.describe('latest start time'),
  models: z.array(z.string()).nullable().describe('null: all'),
  dryRun: z.boolean(),
  createdAt: timestamp,
  createdBy: z.string(),
  completedAt: timestamp.nullable(),
  error: z.string().nullable().describe('why it failed'),
});
export type Repricing = z.output<typeof repricing>;
export const repricingParams = z.object({ id: z.string(), repricingId: z.string() });

/** Details of audit entries. */
export const priceDetail = z.object({
  model: z.string(),
  inputPerMillion: z.number(),
  outputPerMillion: z.number(),
  cachedInputPerMillion: z.number().nullable(),
  cacheWritePerMillion: z.number().nullable(),
  from: z.string().nullable(),
});
export const repricingDetail = z.object({
  from: timestamp,
  to: timestamp,
  models: z.array(z.string()).nullable().describe('null: all; at most the first 20'),
});
export const repricingResult = z.object({
  status: z.enum(['completed', 'failed']),
  spans: z.number().int(),
  changed: z.number().int(),
  costBefore: z.number(),
  costAfter: z.number(),
});
