import { z } from 'zod';
import { anyRangeQuery, lineLimit, pageQuery, timestamp, pricedCalls } from './common.ts';
import { filterSubjects } from './filter/fields.ts';
import { keyColumns, keyColumnsQuery } from './key-columns.ts';
import { filterQuery, traceSpan, traceSummary } from './traces.ts';

const orders = ['startTime', 'latency', 'cost', 'tokens', 'ttft'] as const;
type Ordered = (typeof orders)[number];
/** Orders of a list of spans; a minus sign means descending. */
export type SpanSort = Ordered | `-${Ordered}` | `score.${string}` | `-score.${string}`;

const isSort = (text: string) => /^-?(?:startTime|latency|cost|tokens|ttft|score\.[^\0]{1,128})$/.test(text);

const ofSpans = {
  ...anyRangeQuery,
  ...filterQuery,
  roots: z.enum(['true', 'false']).default('false').describe('true: spans without a parent alone'),
};

export const listSpansQuery = pageQuery.extend({
  ...ofSpans,
  ...keyColumnsQuery,
  sort: z
    .custom<SpanSort>(
      (text) => typeof text === 'string' && isSort(text),
      'must be startTime, latency, cost, tokens, ttft or score.<evaluator>, with - for descending',
    )
    .default('-startTime')
    .meta({
      type: 'string',
      description:
        'startTime, latency, cost, tokens, ttft, score.<evaluator>; with a minus sign descending. Spans without the figure are last',
    }),
});
export const spanLinesQuery = listSpansQuery.extend({ limit: lineLimit });
export type ListSpansQuery = z.output<typeof listSpansQuery>;

export const spanCountsQuery = z.object(ofSpans);
export type SpanCountsQuery = z.output<typeof spanCountsQuery>;

const text = z.string().nullable();
const count = z.number().int();

export const listedSpan = traceSpan
  .pick({
    traceId: true,
    spanId: true,
    parentSpanId: true,
    name: true,
    kind: true,
    startTime: true,
    endTime: true,
    durationMs: true,
    timeToFirstTokenMs: true,
    status: true,
    errorCode: true,
    errorMessage: true,
    model: true,
    provider: true,
    agentName: true,
    operation: true,
    service: true,
    environment: true,
    release: true,
    sessionId: true,
    userId: true,
    tags: true,
    promptName: true,
    promptVersion: true,
    usage: true,
    costUsd: true,
    costStatus: true,
  })
  .extend({
    isCall: z.boolean().describe('whether it counts as a call in the figures of models'),
    inputPreview: text,
    outputPreview: text,
    scores: z
      .array(z.object({ evaluator: z.string(), score: z.number().nullable(), passed: z.boolean().nullable(), label: text }))
      .describe('of the span itself: the latest of each evaluator'),
    trace: traceSummary.pick({ name: true, status: true, sessionId: true, userId: true }),
  });
export type ListedSpan = z.output<typeof listedSpan>;

export const spanPage = z.object({ spans: z.array(listedSpan.extend(keyColumns)), nextCursor: z.string().nullable() });
export type SpanPage = z.output<typeof spanPage>;

export const spanCounts = z.object({
  count,
  calls: count,
  ...pricedCalls,
  costUsd: z.number().describe('of the calls'),
  errors: count,
  bucketMs: count.describe('length of a bucket in milliseconds'),
  buckets: z
    .array(z.object({ start: timestamp, count, errors: count, costUsd: z.number().describe('of the calls') }))
    .describe('every bucket of the range in time order, up to 60'),
});
export type SpanCounts = z.output<typeof spanCounts>;

/** Maximum fields of one request for facets. */
export const maxFacets = 12;

export const facetsQuery = z.object({
  ...anyRangeQuery,
  ...filterQuery,
  on: z.enum(filterSubjects).describe('what is counted'),
  field: z
    .union(
      [
        z
          .string()
          .max(400)
          .transform((one) => [one]),
        z.array(z.string().max(400)).min(1).max(maxFacets),
      ],
      {
        error: `must be 1 to ${maxFacets} names of fields`,
      },
    )
    .describe('a field of the filter; repeated for several, up to 12'),
});
export type FacetsQuery = z.output<typeof facetsQuery>;

const facet = z.union([
  z.object({
    field: z.string(),
    values: z.array(z.object({ value: z.string(), count })).describe('at most 50, the most frequent first'),
    other: count.describe('counts of further values'),
    missing: count.describe('those without the field'),
    total: count,
  }),
  z.object({
    field: z.string(),
    min: z.number().nullable(),
    max: z.number().nullable(),
    buckets: z.array(z.object({ from: z.number(), to: z.number(), count })).describe('20 of equal width'),
    missing: count,
    total: count,
  }),
]);
export type Facet = z.output<typeof facet>;
export const facetList = z.object({ facets: z.array(facet), sampled: z.boolean() });
