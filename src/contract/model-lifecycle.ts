import { z } from 'zod';
import { oneLine, pricedCalls, timestamp, uuid } from './common.ts';

/** Days until a retirement that raise a finding; the nearest that is not below the days remaining is its band. */
export const lifecycleBands = [90, 30, 7, 0] as const;
export type LifecycleBand = (typeof lifecycleBands)[number];

const day = z.iso.date({ error: 'must be a date such as 2027-01-31' });
const modelId = oneLine(256);

/** An entry of a catalogue file. */
const catalogueEntry = z.object({
  provider: modelId,
  model: modelId,
  aliases: z.array(modelId).max(1_000).default([]),
  announcedOn: day.nullish(),
  retiresOn: day.nullish(),
  certainty: z.enum(['firm', 'earliest']).nullish(),
  replacement: modelId.nullish(),
  source: oneLine(2_048).nullish(),
  checkedOn: day.nullish(),
});
/** A catalogue file: the shipped one, or one that the operator imports. */
export const catalogueFile = z.object({ reviewedOn: day, models: z.array(catalogueEntry).min(1).max(10_000) });
export type CatalogueFile = z.output<typeof catalogueFile>;

export const listedEntry = z.object({
  model: z.string(),
  provider: z.string().nullable().describe("null: a date of the project's own for every provider"),
  aliases: z.array(z.string()),
  announcedOn: z.string().nullable(),
  retiresOn: z.string().nullable().describe('null: no retirement is announced'),
  certainty: z.enum(['firm', 'earliest']).nullable().describe('earliest: not sooner than retiresOn; raises nothing'),
  replacement: z.string().nullable(),
  source: z.string().nullable().describe('the page that states the date'),
  checkedOn: z.string().nullable(),
  override: z.boolean().describe("a date of the project's own, which counts for more than the shipped one"),
});
export type ListedEntry = z.output<typeof listedEntry>;
export const lifecycleCatalogue = z.object({ models: z.array(listedEntry), reviewedOn: z.string() });
export type LifecycleCatalogue = z.output<typeof lifecycleCatalogue>;

export const overrideBody = z.strictObject({
  retiresOn: day,
  provider: modelId.optional().describe('absent: for calls of every provider'),
  replacement: modelId.optional(),
  source: oneLine(2_048).optional(),
});
export type OverrideBody = z.output<typeof overrideBody>;

export const findingStates = ['open', 'dismissed'] as const;
export const finding = z.object({
  id: uuid,
  model: z.string().describe('as called'),
  provider: z.string().nullable(),
  certainty: z.literal('firm'),
  retiresOn: z.string(),
  daysRemaining: z.number().int().describe('whole UTC days from today; negative after the retirement'),
  band: z.union([z.literal(90), z.literal(30), z.literal(7), z.literal(0)]),
  state: z.enum(findingStates),
  raisedAt: timestamp,
  dismissedAt: timestamp.nullable(),
  dismissedBy: z.string().nullable(),
  dismissedBand: z.number().int().nullable(),
  replacement: z.string().nullable(),
  source: z.string().nullable(),
  calls30d: z.number().int(),
  cost30d: z.number(),
  ...pricedCalls,
  agents: z.array(z.string()),
  lastCalledAt: timestamp,
});
export type Finding = z.output<typeof finding>;
export const findingList = z.object({ findings: z.array(finding), scannedAt: timestamp.nullable() });
export type FindingList = z.output<typeof findingList>;
export const listFindingsQuery = z.object({ state: z.enum(findingStates).optional() });
export const scanAnswer = z.object({
  raised: z.number().int().describe('findings that this scan raised'),
  open: z.number().int(),
});

export const lifecycleParams = z.object({ id: z.string() });
export const findingParams = z.object({ id: z.string(), findingId: z.string() });
export const overrideParams = z.object({ id: z.string(), model: modelId });
