import { z } from 'zod';
import { outlinedSpan, traceSummary } from './traces.ts';

/** The fields of two paired spans that are compared. */
export const changedFields = [
  'status',
  'errorCode',
  'model',
  'input',
  'output',
  'usage',
  'costUsd',
  'durationMs',
  'promptVersion',
] as const;
export type ChangedField = (typeof changedFields)[number];

/** Maximum spans of each trace in a comparison. */
export const maxComparedSpans = 2_000;

const traceId = z.string().min(1).max(128);
export const traceComparisonQuery = z.object({
  a: traceId.describe('a trace'),
  b: traceId.describe('the trace that it is compared with'),
});

const difference = z.number();

const comparedRow = z.object({
  match: z.enum(['same', 'changed', 'a', 'b']).describe('a or b: only this trace has the span'),
  a: outlinedSpan.nullable(),
  b: outlinedSpan.nullable(),
  changes: z.array(z.enum(changedFields)).describe('durationMs: by more than 20 % of that of a'),
  firstDifference: z.literal(true).optional().describe('the first row that is not same'),
});
export type ComparedRow = z.output<typeof comparedRow>;

export const traceComparison = z.object({
  a: traceSummary,
  b: traceSummary,
  deltas: z
    .object({
      durationMs: difference.nullable().describe('null while a trace has not ended'),
      costUsd: difference,
      spanCount: difference,
      callCount: difference,
      inputTokens: difference,
      outputTokens: difference,
      errorCount: difference,
    })
    .describe('b − a'),
  rows: z.array(comparedRow).describe('parents before children; every compared span is in one row'),
  truncated: z.boolean().describe(`whether a trace has more than ${maxComparedSpans} spans: the first ones are compared`),
});
export type TraceComparison = z.output<typeof traceComparison>;
