import { z } from 'zod';
import { instant, numberInQuery, oneLine, pageQuery, rangeQuery, storable, timestamp, uuid } from './common.ts';
import { environmentName } from './environments.ts';
import { changeKinds } from './kinds.ts';

const maxMetadataCharacters = 16_384;

export const changeBody = z.strictObject({
  kind: z.enum(changeKinds),
  service: oneLine(256).optional().describe('as service.name of spans'),
  version: oneLine(256).optional(),
  commitSha: oneLine(256).optional(),
  environment: environmentName.optional(),
  actor: oneLine(256).optional(),
  url: z
    .url({ protocol: /^https?$/, error: 'must be a URL that starts with http:// or https://' })
    .max(2_048)
    .optional(),
  at: instant.optional().describe('now by default; at most 24 hours ahead'),
  description: z
    .string()
    .max(2_000)
    .refine(...storable)
    .optional(),
  idempotencyKey: oneLine(256).optional().describe('the same key again returns the first record'),
  metadata: z
    .record(z.string(), z.unknown())
    .refine(
      (value) => JSON.stringify(value).length <= maxMetadataCharacters,
      `must be at most ${maxMetadataCharacters} characters as JSON`,
    )
    .optional(),
});
export type ChangeBody = z.output<typeof changeBody>;

export const change = z.object({
  id: uuid,
  projectId: uuid,
  kind: z.enum(changeKinds),
  service: z.string().nullable(),
  version: z.string().nullable(),
  commitSha: z.string().nullable(),
  environment: z.string().nullable(),
  actor: z.string().nullable(),
  url: z.string().nullable(),
  at: timestamp,
  description: z.string().nullable(),
  idempotencyKey: z.string().nullable(),
  metadata: z.record(z.string(), z.unknown()),
  source: z.enum(['api', 'automatic']).describe('automatic: made in this service'),
  createdAt: timestamp,
});
export type ChangeRecord = z.output<typeof change>;
export const changePage = z.object({ changes: z.array(change).describe('newest first'), nextCursor: z.string().nullable() });

export const changesParams = z.object({ id: z.string() });
export const changeParams = z.object({ id: z.string(), changeId: z.string() });
export const listChangesQuery = pageQuery.extend({
  ...rangeQuery,
  kind: z.enum(changeKinds).optional(),
  environment: z
    .string()
    .max(256)
    .refine(...storable)
    .optional(),
  service: z
    .string()
    .max(256)
    .refine(...storable)
    .optional(),
});
export type ListChangesQuery = z.output<typeof listChangesQuery>;

export const impactQuery = z.object({
  hours: numberInQuery(z.number().int().min(1).max(168).default(24)),
  model: z.string().max(256).optional(),
  agent: z.string().max(256).optional(),
});
export type ImpactQuery = z.output<typeof impactQuery>;

const figure = z.number().nullable();
const side = z.object({
  from: timestamp,
  to: timestamp.describe('exclusive'),
  calls: z.number().int(),
  errorRate: figure,
  p95LatencyMs: figure,
  costPerCall: figure,
  avgScore: figure,
});
export const impactMetrics = ['errorRate', 'p95LatencyMs', 'costPerCall', 'avgScore'] as const;
export const impact = z.object({
  before: side,
  after: side,
  checks: z.array(
    z.object({
      metric: z.enum(impactMetrics),
      before: figure,
      after: figure,
      delta: figure.describe('after minus before'),
      ciLow: figure,
      ciHigh: figure.describe('95 % interval of delta'),
      verdict: z.enum(['better', 'worse', 'unchanged', 'inconclusive']),
    }),
  ),
});
export type Impact = z.output<typeof impact>;
export type ImpactCheck = Impact['checks'][number];
