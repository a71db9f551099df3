import { z } from 'zod';
import { filterFieldTypes, filterSubjects } from './filter/fields.ts';
import { maxFilterLength } from './filter/parse.ts';
import { anyRangeQuery, lineLimit, numberInQuery, pageQuery, pricedCalls, timestamp, uuid } from './common.ts';
import { keyColumns, keyColumnsQuery } from './key-columns.ts';
import { outcome } from './outcomes.ts';
import { costStatuses, isTraceSort, spanKinds } from './kinds.ts';
import type { TraceSort } from './kinds.ts';
import { maxFilterValues } from './limits.ts';

// A blank form field is no filter.
const filter = (maxLength: number) =>
  z
    .string()
    .max(maxLength)
    .transform((text) => (text === '' ? undefined : text))
    .optional();
/** One value or several, as a repeated parameter. @param mayBeEmpty an empty value asks for traces without one */
const filters = (maxLength: number, mayBeEmpty = false) =>
  z
    .union([z.string().max(maxLength), z.array(z.string().max(maxLength)).max(maxFilterValues)], {
      error: `must be 1 to ${maxFilterValues} values, each of at most ${maxLength} characters`,
    })
    .transform((given) => {
      const values = [...new Set([given].flat())].filter((value) => mayBeEmpty || value !== '').toSorted();
      return values.length === 0 ? undefined : values;
    })
    .optional();
const bound = (number: z.ZodNumber) => z.preprocess((text) => (text === '' ? undefined : text), numberInQuery(number.optional()));
/** A filter of a list (docs/filter.md). Its grammar is checked by the verb, which says where it is wrong. */
export const filterText = z
  .string()
  .optional()
  .describe('a filter such as `model:gpt-4o status:error latency:>2s`; docs/filter.md has the language');
/** What every route that takes a filter takes. */
export const filterQuery = {
  filter: filterText,
  view: filter(128).describe('id of a saved view of this list, whose filter must be met too'),
};
const traceFilterFields = {
  ...filterQuery,
  traceId: filters(128).describe('these traces'),
  model: filters(4096).describe('traces with a call of one of these models. A repeated parameter matches any of its values'),
  agent: filters(4096).describe('traces with a span of one of these agents'),
  session: filters(4096),
  user: filters(4096),
  environment: filters(4096, true).describe('empty: traces without an environment'),
  release: filters(4096),
  name: filters(4096).describe('traces of this name, exactly; q searches within names'),
  status: z.enum(['ok', 'error']).optional().describe('error: at least one span failed'),
  errorCode: filters(256).describe('traces with a span that failed with one of these codes'),
  tag: filters(4096).describe('traces with one of these tags'),
  metadata: filters(4096).describe(
    'key:value, such as region:eu: traces whose own metadata, or that of one of their spans, has this value under this key of its top level; key alone: any value. A colon in the key is written \\:, a backslash before a colon or a backslash \\\\. Several values of one key match any of them, several keys must all match',
  ),
  minLatency: bound(z.number().min(0)).describe('milliseconds'),
  minCost: bound(z.number().min(0)).describe('US dollars'),
  evaluator: filter(128).describe(
    'traces with a score by this evaluator, of their own or of one of their spans. evaluator, minScore, maxScore and passed ask for one score that all of them hold for, as it stands now',
  ),
  minScore: bound(z.number()).describe('traces with a score of at least this'),
  maxScore: bound(z.number()).describe('traces with a score of at most this'),
  passed: z.enum(['true', 'false']).optional().describe('traces with a score that has passed, or one that has failed'),
  unscoredBy: filter(128).describe('traces without any score by this evaluator, of their own or of one of their spans'),
  promptName: filter(4096).describe('traces with a span that carries this prompt name, and promptVersion if that is given too'),
  promptVersion: filter(4096).describe('traces with a span that carries this prompt version'),
  simulated: z
    .enum(['true', 'false', 'any'])
    .optional()
    .describe(
      'true: traces of simulations alone. any: with them. false: without them, the default unless the filter names source or another parameter asks for them',
    ),
};
const boundsInOrder = {
  path: ['minScore'],
  error: 'must not be above maxScore',
};
const areBoundsInOrder = ({ minScore, maxScore }: { minScore?: number | undefined; maxScore?: number | undefined }) =>
  minScore === undefined || maxScore === undefined || minScore <= maxScore;

const tracesListed = pageQuery.extend({
  ...anyRangeQuery,
  ...traceFilterFields,
  ...keyColumnsQuery,
  q: filter(1000).describe(
    'searched in names, inputs, outputs and errors of all spans, letters in either case; also finds the beginnings of trace and span ids',
  ),
  sort: z
    .custom<TraceSort>(
      (text) => typeof text === 'string' && isTraceSort(text),
      'must be startTime, latency, cost or score.<evaluator>, with - for descending',
    )
    .default('-startTime')
    .meta({
      type: 'string',
      description:
        'startTime, latency, cost, score.<evaluator>; with a minus sign descending. Traces without the figure are last',
    }),
});
export const listTracesQuery = tracesListed.refine(areBoundsInOrder, boundsInOrder);
export const traceLinesQuery = tracesListed.extend({ limit: lineLimit }).refine(areBoundsInOrder, boundsInOrder);
export type ListTracesQuery = z.output<typeof listTracesQuery>;

export const traceCountsQuery = z.object({ ...anyRangeQuery, ...traceFilterFields }).refine(areBoundsInOrder, boundsInOrder);
export type TraceCountsQuery = z.output<typeof traceCountsQuery>;

export const listSessionsQuery = pageQuery.extend({
  ...anyRangeQuery,
  ...filterQuery,
  user: filter(4096).describe('sessions with a trace of this user'),
  environment: filter(4096).describe('sessions with a trace in this environment'),
  q: filter(1000).describe('searched in session and user ids; letters match in either case'),
});
export type ListSessionsQuery = z.output<typeof listSessionsQuery>;

export const filterFieldsQuery = z.object({ on: z.enum(filterSubjects).describe('what the list is of') });
export const filterFieldList = z.object({
  fields: z.array(
    z.object({
      name: z.string().describe('a field of type key ends with a dot: a key follows'),
      type: z.enum(filterFieldTypes),
      operators: z.array(z.string()),
      description: z.string(),
      values: z.array(z.string()).optional().describe('of a closed set'),
    }),
  ),
});
export type FilterFieldList = z.output<typeof filterFieldList>;

export const filterSuggestionsBody = z.strictObject({
  on: z.enum(filterSubjects).describe('what the list is of'),
  text: z.string().max(maxFilterLength).describe('the filter as it is written so far'),
  cursor: z.number().int().min(0).max(maxFilterLength).describe('offset of the cursor in UTF-16 units'),
});
export const filterSuggestions = z.object({
  items: z.array(
    z.object({
      label: z.string(),
      insert: z.string().describe('replaces the text from start to end'),
      start: z.number().int(),
      end: z.number().int(),
      kind: z.enum(['field', 'value', 'operator', 'history']),
    }),
  ),
});

export const tracesParams = z.object({ id: uuid });
export const traceParams = tracesParams.extend({ traceId: z.string() });
export const deletedTraceQuery = z.object({
  traceId: z.string().min(1).max(128).describe('also an id that cannot stand in a path'),
});
export const traceQuery = z.object({
  payloads: z
    .enum(['none', 'preview', 'full'])
    .default('full')
    .describe(
      'full: spans as they were sent. preview: without input, output, metadata and attributes, with the first 200 characters of input and output as inputPreview and outputPreview. none: without previews. With preview and none, fields that are null are left out of spans',
    ),
});
export type TracePayloads = z.output<typeof traceQuery>['payloads'];
/** Maximum span ids in one request for spans. */
export const maxSpanIds = 50;
const spanId = z.string().min(1).max(128);
export const spansQuery = z.object({
  spanId: z
    .union([spanId.transform((one) => [one]), z.array(spanId).min(1).max(maxSpanIds)], {
      error: `must be 1 to ${maxSpanIds} span ids, each of 1 to 128 characters`,
    })
    .describe('repeated for several spans, up to 50'),
});
export const sessionParams = tracesParams.extend({ sessionId: z.string() });

const count = z.number().int();
const text = z.string().nullable();

export const traceSummary = z.object({
  traceId: z.string(),
  name: text,
  startTime: timestamp,
  endTime: timestamp.nullable().describe('null while no span has ended'),
  durationMs: z.number().nullable(),
  status: z.enum(['ok', 'error']),
  sessionId: text,
  userId: text,
  environment: text,
  release: text,
  tags: z.array(z.string()),
  models: z.array(z.string()),
  agents: z.array(z.string()),
  spanCount: count,
  callCount: count,
  errorCount: count.describe('spans that failed'),
  ...pricedCalls,
  costUsd: z.number(),
  inputTokens: count,
  outputTokens: count,
  cachedTokens: count,
  reasoningTokens: count,
  inputPreview: text.describe('the first 200 characters of the input as JSON'),
  outputPreview: text.describe('the first 200 characters of the output as JSON'),
});
export type TraceSummary = z.output<typeof traceSummary>;

export const listedTrace = traceSummary.extend({
  error: z
    .object({ code: text, message: text.describe('the first 200 characters') })
    .nullable()
    .describe('of the failed span that started last'),
});
export type ListedTrace = z.output<typeof listedTrace>;

export const tracePage = z.object({ traces: z.array(listedTrace.extend(keyColumns)), nextCursor: z.string().nullable() });
export type TracePage = z.output<typeof tracePage>;

export const traceCounts = z.object({
  bucketMs: count.describe('length of a bucket in milliseconds'),
  buckets: z
    .array(
      z.object({
        start: timestamp,
        traces: count,
        errors: count.describe('traces with a failed span'),
        costUsd: z.number().describe('of the traces'),
      }),
    )
    .describe('every bucket of the range in time order, up to 60; traces dated ahead are in the last one'),
});
export type TraceCounts = z.output<typeof traceCounts>;

const payload = z.unknown().describe('as it was sent; null when it was left out');

export const spanUsage = z
  .object({
    inputTokens: count,
    outputTokens: count,
    cachedTokens: count,
    cacheWriteTokens: count,
    reasoningTokens: count,
    details: z.record(z.string(), count).describe('tokens of further classes, inside the input or the output'),
  })
  .partial();

export const traceSpan = z.object({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: text,
  depth: count.describe('0 for a root, or a span whose parent is missing'),
  name: z.string(),
  kind: z.enum(spanKinds),
  startTime: timestamp,
  endTime: timestamp.nullable().describe('null while the span runs'),
  durationMs: z.number().nullable(),
  model: text.describe('of the response, else of the request'),
  requestModel: text,
  provider: text,
  agentName: text.describe('its own, else that of the nearest agent above it'),
  operation: text,
  usage: spanUsage.nullable(),
  costUsd: z.number().nullable(),
  costStatus: z.enum(costStatuses),
  timeToFirstTokenMs: z.number().nullable(),
  status: z.enum(['ok', 'error']).nullable(),
  errorCode: text,
  errorMessage: text,
  sessionId: text,
  userId: text,
  environment: text,
  release: text,
  service: text,
  tags: z.array(z.string()),
  promptName: text,
  promptVersion: z.union([z.string(), z.int()]).nullable().describe('a number if it was sent as one'),
  promptVariables: z.unknown().optional().describe('what the prompt was compiled with, by name; absent where it was not sent'),
  source: z.enum(['native', 'otlp']),
  contentFrom: text.describe('of a call without its input or output: the span of the same call that these are taken from'),
  input: payload,
  output: payload,
  metadata: payload,
  attributes: payload.describe('every attribute as it was sent'),
  resourceAttributes: z.unknown().optional().describe('OTLP: the attributes of the resource'),
  scope: z.unknown().optional().describe('OTLP: the instrumentation scope'),
  events: z.unknown().optional().describe('OTLP: the span events'),
  links: z.unknown().optional().describe('OTLP: the span links'),
  traceState: z.string().optional(),
});
export type TraceSpan = z.output<typeof traceSpan>;

export const score = z.object({
  scoreId: z.string(),
  traceId: text,
  spanId: text,
  sessionId: text,
  evaluator: z.string(),
  score: z.number().nullable().describe('null: it has a label alone'),
  passed: z.boolean().nullable(),
  label: text,
  comment: text,
  model: text,
  timestamp,
  source: z.string(),
  recordedBy: z
    .object({ type: z.enum(['user', 'api_key']), id: z.string(), name: z.string() })
    .optional()
    .describe('of a score that was recorded by POST /v1/projects/{id}/scores'),
});
export type Score = z.output<typeof score>;

export const traceDetail = z.object({
  trace: traceSummary.extend({
    timestamp,
    input: payload,
    output: payload,
    metadata: payload,
    inputFrom: text.describe(
      'the span whose input this is, where neither the own record nor the root has one: the first of its calls with one',
    ),
    outputFrom: text.describe('likewise: the last of its calls with an output'),
  }),
  spans: z.array(traceSpan).describe('depth first, children by start time'),
  scores: z.array(score),
  outcomes: z.array(outcome).describe('in time order'),
  truncated: z.literal(true).optional().describe('the trace has more spans than one response can contain'),
});

export const outlinedSpan = traceSpan
  .partial()
  .required({ spanId: true, depth: true, name: true, kind: true, startTime: true, costStatus: true, source: true })
  .extend({
    inputPreview: z.string().optional().describe('the first 200 characters of the input as JSON'),
    outputPreview: z.string().optional().describe('the first 200 characters of the output as JSON'),
  });

export const traceOutline = traceDetail.extend({
  trace: traceDetail.shape.trace.omit({ input: true, output: true, metadata: true }),
  spans: z.array(outlinedSpan),
});

export const spanList = z.object({
  spans: z.array(traceSpan).describe('those of the requested spans that the trace has, in tree order'),
  truncated: z.literal(true).optional().describe('some spans are without payloads because the answer would be too large'),
});

export const tracePayloads = z.object({ input: payload, output: payload, metadata: payload });

export const session = z.object({
  sessionId: z.string(),
  userId: text.describe('the latest'),
  environments: z.array(z.string()),
  firstSeen: timestamp,
  lastSeen: timestamp.describe('latest end of a trace'),
  traceCount: count,
  spanCount: count,
  callCount: count,
  errorCount: count.describe('spans that failed'),
  ...pricedCalls,
  costUsd: z.number(),
  inputTokens: count,
  outputTokens: count,
  cachedTokens: count,
  reasoningTokens: count,
});
export type Session = z.output<typeof session>;

export const sessionPage = z.object({ sessions: z.array(session), nextCursor: z.string().nullable() });

export const sessionDetail = z.object({
  session,
  traces: z.array(traceSummary).describe('in time order'),
  scores: z.array(score).describe('of the session itself'),
  truncated: z.literal(true).optional().describe('the session has more traces than one response can contain'),
});
