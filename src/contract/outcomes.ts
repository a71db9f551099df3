import { z } from 'zod';
import {
  anyObject,
  environmentQuery,
  errorBody,
  pricedCalls,
  projectIdField,
  rangeQuery,
  storable,
  timestamp,
} from './common.ts';
import { spanEvent } from './ingest.ts';

/** Outcomes of a request. */
export const maxOutcomes = 100;
const maxMetadataCharacters = 16_384;
const kindText = 'must be 1 to 64 of the characters A-Z a-z 0-9 . _ -';
const kind = z.string({ error: kindText }).regex(/^[A-Za-z0-9._-]{1,64}$/, kindText);

/** Codes of ISO 4217 that are in no locale data: funds and metals, and a currency in preparation. Codes without a currency are left out. */
const furtherCurrencies = 'BOV CHE CHW CLF COU MXV USN UYI UYW VED XAD XAG XAU XPD XPT'.split(' ');
const currencies: ReadonlySet<string> = new Set([...Intl.supportedValuesOf('currency'), ...furtherCurrencies]);

// Many serialisers send null for an absent value.
/** An outcome as it is reported. One that does not conform is rejected by itself. */
export const outcomeReport = z.strictObject({
  traceId: spanEvent.shape.traceId.describe('may arrive later, or never'),
  kind,
  value: z.number().nullish().describe('any finite number, in currency'),
  currency: z
    .string()
    .refine((code) => currencies.has(code), 'must be a code of ISO 4217 in capital letters, such as USD')
    .meta({ pattern: '^[A-Z]{3}$', default: 'USD', description: 'ISO 4217' })
    .nullish(),
  success: z.boolean().nullish().describe('counts in successRate where it is given'),
  occurredAt: z.iso
    .datetime({ offset: true, error: 'must be an ISO 8601 timestamp with its zone, such as 2026-11-20T10:00:00.000Z' })
    .nullish()
    .describe('arrival by default; at most 24 hours ahead, and within the retention'),
  idempotencyKey: z
    .string()
    .min(1)
    .max(256)
    .refine(...storable)
    .nullish()
    .describe('an outcome with the same key in the project replaces it'),
  metadata: anyObject
    .meta({ type: 'object' })
    .refine(
      (value) => JSON.stringify(value).length <= maxMetadataCharacters,
      `must be at most ${maxMetadataCharacters} characters as JSON`,
    )
    .nullish(),
});
export type OutcomeReport = z.output<typeof outcomeReport>;

const described = (schema: z.ZodType) => z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
/** One outcome, or several. Their fields are checked one by one, so that a bad one does not refuse the others. */
export const outcomesBody = anyObject.meta({
  oneOf: [
    described(outcomeReport.extend({ projectId: projectIdField })),
    described(z.strictObject({ projectId: projectIdField, outcomes: z.array(outcomeReport).min(1).max(maxOutcomes) })),
  ],
});

export const outcomesAnswer = z.object({
  accepted: z.number().int(),
  rejected: z.array(z.object({ index: z.number().int().describe('from 0'), code: z.string(), error: z.string() })),
});
export type OutcomesAnswer = z.output<typeof outcomesAnswer>;
export const outcomesRefusal = outcomesAnswer.partial().extend(errorBody.shape);

/** An outcome of a trace. */
export const outcome = z.object({
  outcomeId: z.string(),
  traceId: z.string(),
  kind: z.string(),
  value: z.number().nullable(),
  currency: z.string(),
  success: z.boolean().nullable(),
  occurredAt: timestamp,
  idempotencyKey: z.string().nullable(),
  metadata: z.unknown().describe('an object; null when it was left out'),
});
export type Outcome = z.output<typeof outcome>;

export const outcomeParams = z.object({ id: z.string() });
export const outcomeKindsQuery = z.object({ ...rangeQuery, ...environmentQuery });
export type OutcomeKindsQuery = z.output<typeof outcomeKindsQuery>;
export const outcomeSummaryQuery = z.object({
  ...rangeQuery,
  ...environmentQuery,
  kind: kind.optional().describe('of one kind only'),
});
export type OutcomeSummaryQuery = z.output<typeof outcomeSummaryQuery>;

const count = z.number().int();
const truncated = z.literal(true).optional().describe('there are more rows than one response can contain');

export const outcomeKinds = z.object({
  kinds: z
    .array(z.object({ kind: z.string(), count, firstSeen: timestamp, lastSeen: timestamp.describe('by occurredAt') }))
    .describe('by kind'),
  truncated,
});
export type OutcomeKinds = z.output<typeof outcomeKinds>;

const group = { kind: z.string(), currency: z.string(), count, successCount: count.describe('outcomes with success true') };
const value = z.number().describe('sum, in currency');
const cost = z.number().describe('US dollars; the whole cost of the distinct traces that the outcomes name');
const costPerSuccess = z
  .number()
  .nullable()
  .describe('cost / successCount; null without success, and while the cost of a call is not known whole');

export const outcomeSummary = z.object({
  totals: z
    .array(
      z.object({
        ...group,
        judgedCount: count.describe('outcomes that say success or failure'),
        successRate: z.number().nullable().describe('successCount / judgedCount; null without any'),
        value,
        cost,
        ...pricedCalls,
        costPerOutcome: z.number().nullable(),
        costPerSuccess,
      }),
    )
    .describe('by kind, then currency'),
  timeline: z
    .array(z.object({ day: z.string().describe('YYYY-MM-DD, UTC, of occurredAt'), ...group, value }))
    .describe('days with outcomes'),
  byAgent: z
    .array(z.object({ agent: z.string(), ...group, value, cost, ...pricedCalls, costPerSuccess }))
    .describe('an outcome belongs to every agent of its trace'),
  byModel: z
    .array(z.object({ model: z.string(), ...group, value, cost, ...pricedCalls, costPerSuccess }))
    .describe('an outcome belongs to every model that its trace called'),
  truncated,
});
export type OutcomeSummary = z.output<typeof outcomeSummary>;
