import { z } from 'zod';
import { anyRangeQuery, environmentQuery, pricedCalls, rangeQuery, snakePricedCalls } from './common.ts';
import type { RangeQuery } from './common.ts';

const count = z.number().int();
const day = z.string().describe('YYYY-MM-DD, UTC; with interval=hour the start of the hour');

export const modelSummary = z.object({
  model: z.string(),
  provider: z.string().nullable(),
  total_calls: count,
  ...snakePricedCalls,
  total_cost: z.number().describe('US dollars'),
  avg_cost_per_call: z.number(),
  avg_cost_per_success: z.number().nullable().describe('null when every call in range errored'),
  p50_latency: z.number().describe('milliseconds'),
  p95_latency: z.number(),
  p99_latency: z.number(),
  avg_ttft: z.number().nullable().describe('milliseconds; null when no call in range reported a time to first token'),
  error_count: count,
  error_rate: z.number().describe('fraction 0..1'),
  total_input_tokens: count,
  total_output_tokens: count,
  total_cached_tokens: count,
  total_reasoning_tokens: count,
  cache_hit_rate: z.number().nullable().describe('null when total_input_tokens is zero'),
  trace_count: count,
  unique_agents: count,
  unique_operations: count,
  first_seen: z.string().nullable(),
  last_seen: z.string().nullable(),
  share_of_calls: z.number().nullable(),
  share_of_cost: z.number().nullable(),
});
export type ModelSummary = z.output<typeof modelSummary>;

export const timelinePoint = z.object({
  day,
  calls: count,
  cost: z.number(),
  ...snakePricedCalls,
  avg_latency: z.number(),
  p95_latency: z.number().describe('milliseconds; 0 when no call has finished'),
  avg_ttft: z.number().nullable(),
  errors: count,
  error_rate: z.number(),
  cached_tokens: count,
  input_tokens: count,
  output_tokens: count,
});
export type TimelinePoint = z.output<typeof timelinePoint>;

const usage = { calls: count, cost: z.number(), ...snakePricedCalls, avg_latency: z.number(), error_rate: z.number() };
export const agentUsage = z.object({ agent_name: z.string(), ...usage });
export const operationUsage = z.object({ operation: z.string(), ...usage });

const evaluation = { eval_count: count, avg_score: z.number() };
export const qualityBlock = z.object({
  hasData: z.boolean(),
  overall: z.object({ ...evaluation, pass_count: count, fail_count: count, pass_rate: z.number().nullable() }).nullable(),
  byEvaluator: z.array(z.object({ evaluator_slug: z.string(), ...evaluation, pass_count: count, fail_count: count })),
  trend: z.array(z.object({ day, ...evaluation })),
});
export type QualityBlock = z.output<typeof qualityBlock>;

export const frontierPoint = z.object({
  model: z.string(),
  callCount: count,
  avgCostUsd: z.number(),
  totalCost: z.number(),
  ...pricedCalls,
  avgEvalScore: z.number().nullable(),
  evalCount: count,
  cheaper: z.boolean().optional(),
  costDeltaPct: z.number().nullable().optional(),
  qualityDelta: z.number().nullable().optional(),
});
export type FrontierPoint = z.output<typeof frontierPoint>;

export const modelDetail = z.object({
  model: z.string(),
  found: z.boolean(),
  summary: modelSummary.nullable(),
  timeline: z.array(timelinePoint),
  errorBreakdown: z.array(z.object({ error_code: z.string(), count })),
  usage: z.object({ agents: z.array(agentUsage), operations: z.array(operationUsage) }),
  quality: qualityBlock,
  frontier: z.object({ thisModel: frontierPoint.nullable(), points: z.array(frontierPoint) }),
});
export type ModelDetail = z.output<typeof modelDetail>;

const unnamed = z.object({ calls: count, errors: count });

export const modelList = z.object({
  models: z.array(modelSummary.extend({ avg_eval_score: z.number().nullable(), eval_count: count })),
  unnamed: unnamed.describe('calls that name no model, in none of the models'),
});
export type ModelList = z.output<typeof modelList>;

const callFigures = {
  calls: count,
  ...snakePricedCalls,
  cost: z.number().describe('US dollars'),
  errors: count,
  error_rate: z.number().describe('fraction 0..1'),
  avg_latency: z.number().describe('milliseconds, the mean over finished calls; 0 if none'),
};
const scoreFigures = { eval_count: count, avg_eval_score: z.number().nullable().describe('null when nothing was evaluated') };
export const callDay = z.object({ day, ...callFigures });
export const latencyDay = callDay.extend({ p95_latency: z.number().describe('milliseconds') });
const seriesOfCalls = { ...callFigures, timeline: z.array(callDay).describe('days with calls') };
const percentiles = { p50_latency: z.number().describe('milliseconds'), p95_latency: z.number() };
const modelSeries = z.object({
  ...seriesOfCalls,
  ...scoreFigures,
  trend: z.array(z.object({ day, ...evaluation })).describe('days with evaluations'),
});
const others = { count: count.describe('number of them') };

/** The overview of a project. */
export const overview = z.object({
  totals: z.object({
    ...callFigures,
    ...percentiles,
    ...scoreFigures,
    input_tokens: count,
    output_tokens: count,
    cached_tokens: count,
    models: count.describe('distinct models called'),
    agents: count.describe('distinct agents named by calls'),
    timeline: z.array(latencyDay).describe('days with calls'),
  }),
  models: z
    .array(modelSeries.extend({ model: z.string(), ...percentiles, timeline: z.array(latencyDay).describe('days with calls') }))
    .describe('by cost, then calls, descending, then name; at most 20'),
  other_models: modelSeries.extend(others).nullable().describe('all further models together'),
  agents: z
    .array(z.object({ agent_name: z.string(), ...seriesOfCalls }))
    .describe('of calls that name one; by cost, then calls, descending, then name; at most 20'),
  other_agents: z
    .object({ ...others, ...seriesOfCalls })
    .nullable()
    .describe('all further agents together'),
  unpriced: z
    .array(z.object({ model: z.string(), ...snakePricedCalls }))
    .describe('models with calls whose cost is not known, or known in part, by those calls descending, then name; at most 20'),
  unnamed: unnamed.describe('calls that name no model, in no other figure'),
});
export type Overview = z.output<typeof overview>;

export const modelRange = z.object({ ...rangeQuery, ...environmentQuery });
export type ModelQuery = RangeQuery & { environment?: string[] | undefined };
export const timelineRange = modelRange.extend({
  interval: z.enum(['day', 'hour']).default('day').describe('hour: one row an hour, for at most 31 days'),
});
export const overviewRange = timelineRange.extend({ range: anyRangeQuery.range });
export type TimelineQuery = ModelQuery & { interval?: 'day' | 'hour' | undefined };
export const modelParams = z.object({ id: z.string(), model: z.string().max(4096) });
