import { z } from 'zod';
import { uuid } from './common.ts';
import { batchItemStatuses, batchRun } from './simulations.ts';

const share = z.number().min(0).max(1);
const increase = z.number().min(-1).max(1_000_000);

export const gateBody = z.strictObject({
  baselineBatchRunId: z.string().max(100),
  thresholds: z
    .strictObject({
      maxPassRateDrop: z.number().min(-1).max(1).default(0).describe('baseline - candidate'),
      minPassRate: share.optional(),
      maxErrorRate: share.optional(),
      maxP95LatencyIncrease: increase.optional().describe('(candidate - baseline) / baseline'),
      maxCostIncrease: increase.optional().describe('(candidate - baseline) / baseline of the mean cost of an item'),
    })
    .prefault({}),
  confidence: z
    .number()
    .min(0.8)
    .max(0.99)
    .optional()
    .describe('of the intervals of a paired bootstrap; without it the figures themselves are compared'),
  onInconclusive: z
    .enum(['pass', 'fail', 'point'])
    .default('pass')
    .describe(
      'what a check is whose interval has the limit in it; point: passed only while the figure itself is within the limit',
    ),
});
export type GateBody = z.output<typeof gateBody>;
export type GateThresholds = GateBody['thresholds'];

export const gateCheckNames = [
  'pass_rate_drop',
  'min_pass_rate',
  'max_error_rate',
  'p95_latency_increase',
  'cost_increase',
  'completed',
] as const;
export const gateVerdicts = ['pass', 'fail', 'inconclusive'] as const;
export type GateVerdict = (typeof gateVerdicts)[number];

const figure = z.number().nullable();
const gateCheck = z.object({
  name: z.enum(gateCheckNames),
  baseline: figure,
  candidate: figure,
  delta: figure.describe('what limit is compared with'),
  limit: figure,
  passed: z.boolean().describe('of an inconclusive check as onInconclusive says'),
  verdict: z.enum(gateVerdicts),
  ciLow: figure.describe('of delta; null without confidence'),
  ciHigh: figure.describe('null without confidence, and where there is no upper end'),
  itemsNeeded: z
    .number()
    .int()
    .nullable()
    .optional()
    .describe('of an inconclusive check: about how many items would decide it; null: no number would'),
});
export type GateCheck = z.output<typeof gateCheck>;

const side = z.object({ status: z.enum(batchItemStatuses), output: z.unknown().describe('any JSON; null without an output') });

export const gateResult = z.object({
  pending: z.literal(false),
  passed: z.boolean(),
  verdict: z.enum(gateVerdicts),
  checks: z.array(gateCheck),
  regressions: z
    .array(z.object({ datasetItemId: uuid, baseline: side, candidate: side }))
    .describe('items that passed in the baseline and not in the candidate; at most 100, and at most 16 MB of outputs'),
  compared: z.number().int().describe('dataset items in both runs'),
  onlyInOne: z.number().int().describe('dataset items in one run alone'),
});
export type GateResult = z.output<typeof gateResult>;
export const gatePending = z.object({ pending: z.literal(true), batchRun });
export type GatePending = z.output<typeof gatePending>;
