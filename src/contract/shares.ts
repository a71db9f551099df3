import { z } from 'zod';
import { timestamp, uuid } from './common.ts';
import { costStatuses, spanKinds } from './kinds.ts';
import { spanUsage, traceParams, traceSummary, tracesParams } from './traces.ts';

/** A link whose maker chose nothing. */
export const defaultShare = { expiresInDays: 30, payloads: true, redact: true };
export const mostShareDays = 365;

export const shareBody = z
  .strictObject({
    expiresInDays: z.number().int().min(1).max(mostShareDays).default(defaultShare.expiresInDays),
    payloads: z.boolean().default(defaultShare.payloads).describe('whether the link shows inputs, outputs and error messages'),
    redact: z
      .boolean()
      .default(defaultShare.redact)
      .describe("whether what the project's pii and secrets guardrails and the built-in entities find is replaced"),
  })
  .optional()
  .describe('may be left out');
export type ShareBody = NonNullable<z.output<typeof shareBody>>;

export const shareCreated = z.object({ id: uuid, url: z.string().describe('the link, this once'), expiresAt: timestamp });
export type ShareCreated = z.output<typeof shareCreated>;

export const share = z.object({
  id: uuid,
  payloads: z.boolean(),
  redact: z.boolean(),
  expiresAt: timestamp,
  views: z.number().int().describe('how many times the trace was shown'),
});
export type Share = z.output<typeof share>;
export const shareList = z.object({ shares: z.array(share).describe('those that are valid, newest first') });

export const sharesParams = traceParams;
export const shareParams = tracesParams.extend({ shareId: z.string() });
export const sharedParams = z.object({ token: z.string().describe('last segment of the link') });

const text = z.string().nullable();
const count = z.number().int();
const shown = z.unknown().optional().describe('as JSON; left out of a link without payloads');

/** The fields of a trace that a link shows. Whatever is not listed here is not shown. */
export const sharedTraceFields = [
  'traceId',
  'name',
  'startTime',
  'endTime',
  'durationMs',
  'status',
  'models',
  'agents',
  'spanCount',
  'callCount',
  'errorCount',
  'unpricedCalls',
  'partlyPricedCalls',
  'costUsd',
  'inputTokens',
  'outputTokens',
  'cachedTokens',
  'reasoningTokens',
] as const;

const shownFields = Object.fromEntries(sharedTraceFields.map((field) => [field, true])) as Record<
  (typeof sharedTraceFields)[number],
  true
>;

export const sharedSpan = z.object({
  spanId: z.string(),
  parentSpanId: text,
  depth: count,
  name: z.string(),
  kind: z.enum(spanKinds),
  startTime: timestamp,
  endTime: timestamp.nullable().describe('null while the span runs'),
  durationMs: z.number().nullable(),
  model: text,
  requestModel: text,
  provider: text,
  agentName: text,
  operation: text,
  usage: spanUsage.nullable(),
  costUsd: z.number().nullable(),
  costStatus: z.enum(costStatuses),
  timeToFirstTokenMs: z.number().nullable(),
  status: z.enum(['ok', 'error']).nullable(),
  errorCode: text,
  errorMessage: text.optional().describe('left out of a link without payloads'),
  input: shown,
  output: shown,
  truncated: z.literal(true).optional().describe('some of its texts are cut, which a mark in them says, or left out'),
});
export type SharedSpan = z.output<typeof sharedSpan>;

export const sharedTrace = z.object({
  trace: traceSummary.pick(shownFields).extend({
    input: shown,
    output: shown,
    inputFrom: text.optional().describe('the span whose input this is, where the trace has none of its own'),
    outputFrom: text.optional().describe('likewise of the output'),
  }),
  spans: z.array(sharedSpan).describe('depth first, children by start time'),
  expiresAt: timestamp,
  truncated: z.literal(true).optional().describe('something is cut or missing, because the answer would be too large'),
});
export type SharedTrace = z.output<typeof sharedTrace>;
