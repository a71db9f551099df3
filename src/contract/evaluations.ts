import { z } from 'zod';
import { anyObject, oneLine, pageQuery, timestamp, uuid } from './common.ts';
import { evaluatorConfigFields, evaluatorFilter, evaluatorTargets, evaluatorTypeDocs, evaluatorTypeNames } from './evaluators.ts';
import { evaluatorSlug as scoreSlug } from './ingest.ts';
import { evaluationStatuses, evaluationTargetTypes } from './kinds.ts';

/** Minutes without a span after which a session is complete (docs/semantics.md, "Session evaluation"). */
export const defaultIdleMinutes = 30;
const longestIdleMinutes = 7 * 24 * 60;

/** Whether a text, an evaluator's id or slug, is an id. */
export function looksLikeId(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}
const evaluatorSlug = scoreSlug.refine((slug) => !looksLikeId(slug), 'must not look like an id');
const label = oneLine(200);

// The type of the evaluator validates it.
const config = anyObject
  .meta({ type: 'object', additionalProperties: true, 'x-evaluator-types': evaluatorTypeDocs })
  .describe(`by type: ${evaluatorConfigFields}`);
const target = z
  .enum(evaluatorTargets)
  .describe(
    'what is evaluated online. span: a finished span, with its own input, output, duration and cost. trace: a trace whose root span (one ' +
      "without parentSpanId) has finished, with the trace's own input and output or else its root's, the trace's duration and the cost of its " +
      "calls. session: a session without spans for idleMinutes; its input is the first turn's, its output the list of turns {input, " +
      'output} in order (the latest ones of a long session), its duration and cost the sums over its traces. Evaluators of spans and traces ' +
      'also run on the items of dataset runs; types that compare with an expected output (exact, fuzzy) run only there',
  );
const filter = evaluatorFilter.describe(
  'selects targets of online evaluation. Each given field must match one of its values. kinds: the kind of the ' +
    "span, of the trace's root, or of the root of one of the session's traces. models: the span's model, or one that was called in the trace or session. agents: " +
    "the span's agent, else the nearest agent above it; or one of the trace's or session's agents. environments, tags: those of the span or of its " +
    'trace; of the trace; of one of the traces of the session. Spans, and traces whose root, are of kind evaluator or guardrail are evaluated only when kinds names that kind, or expression has a term for it. expression: a filter of spans for target span, else of traces; of a session one of its traces must meet it. It is looked at when data arrives',
);
const sampleRate = z
  .number()
  .min(0)
  .max(1)
  .describe(
    'the share of traces (sessions, for target session) that is evaluated online, chosen by a hash of the id, so that all spans of a trace are sampled alike',
  );
const passThreshold = z
  .number()
  .nullable()
  .describe(
    'minimum score that passes, for scores without passed; also applies to scores that clients send under this slug from then on',
  );
const idleMinutes = z
  .number()
  .int()
  .min(1)
  .max(longestIdleMinutes)
  .describe('for target session: minutes without a span after which the session is complete');
const enabled = z.boolean().describe('a disabled evaluator does not run; its pass threshold still applies');

export const evaluatorBody = z.strictObject({
  slug: evaluatorSlug.describe('the evaluator of its scores; unique in the project; must not look like an id'),
  name: label.optional().describe('default: the slug'),
  type: z.enum(evaluatorTypeNames),
  config: config.default({}),
  target: target.default('trace'),
  filter: filter.default({}),
  sampleRate: sampleRate.default(1),
  passThreshold: passThreshold.default(null),
  idleMinutes: idleMinutes.default(defaultIdleMinutes),
  enabled: enabled.default(true),
});
export type EvaluatorBody = z.output<typeof evaluatorBody>;

export const evaluatorChange = z.strictObject({
  slug: evaluatorSlug.optional(),
  name: label.optional(),
  type: z.enum(evaluatorTypeNames).optional(),
  config: config.optional(),
  target: target.optional(),
  filter: filter.optional(),
  sampleRate: sampleRate.optional(),
  passThreshold: passThreshold.optional(),
  idleMinutes: idleMinutes.optional(),
  enabled: enabled.optional(),
});
export type EvaluatorChange = z.output<typeof evaluatorChange>;

export const evaluator = z.object({
  id: uuid,
  slug: z.string(),
  name: z.string(),
  type: z.enum(evaluatorTypeNames),
  config,
  target,
  filter,
  sampleRate,
  passThreshold,
  idleMinutes,
  enabled,
  createdAt: timestamp,
  updatedAt: timestamp,
});
export type EvaluatorRecord = z.output<typeof evaluator>;
export const evaluatorPage = z.object({ evaluators: z.array(evaluator), nextCursor: z.string().nullable() });
export const evaluatorParams = z.object({ id: uuid, evaluatorId: z.string().describe('id or slug') });

export const listEvaluationsQuery = pageQuery.extend({
  evaluator: z.string().max(200).optional().describe('id of an evaluator, or its slug at the time of the run'),
  status: z.enum(evaluationStatuses).optional(),
  targetType: z.enum(evaluationTargetTypes).optional(),
});
export type ListEvaluationsQuery = z.output<typeof listEvaluationsQuery>;

export const evaluation = z.object({
  id: uuid,
  evaluator: z.string().describe('slug of the evaluator'),
  evaluatorId: uuid,
  target: z.object({
    type: z.enum(evaluationTargetTypes),
    traceId: z.string().optional(),
    spanId: z.string().optional(),
    sessionId: z.string().optional(),
    runItemId: z.string().optional(),
    datasetId: uuid.optional().describe('set with the next two for an item of an existing dataset run'),
    runId: uuid.optional(),
    datasetItemId: uuid.optional(),
  }),
  status: z.enum(evaluationStatuses).describe('queued also while waiting for a retry'),
  score: z.number().nullable().describe('of a completed evaluation'),
  passed: z.boolean().nullable(),
  comment: z
    .string()
    .nullable()
    .describe('reason for the score, or why the evaluator skipped and possibly withdrew its earlier score'),
  error: z.string().nullable().describe('why the last attempt failed'),
  attempts: z.number().int(),
  usage: z
    .object({ inputTokens: z.number().int(), outputTokens: z.number().int(), costUsd: z.number().nullable() })
    .nullable()
    .describe('usage of the judge itself; costUsd is null when its price is not known'),
  createdAt: timestamp,
  startedAt: timestamp.nullable(),
  finishedAt: timestamp.nullable(),
});
export type EvaluationRecord = z.output<typeof evaluation>;

export const evaluationPage = z.object({
  evaluations: z.array(evaluation).describe('newest first'),
  nextCursor: z.string().nullable(),
  queue: z.object({
    waiting: z.number().int().describe('evaluations of the project that are queued or running'),
    limit: z.number().int().describe('maximum of waiting; arriving data beyond it is not queued'),
    refusedLastDay: z.number().int().describe('evaluations of the last 24 hours that were not queued because the queue was full'),
  }),
});
