import { z } from 'zod';
import { describeType, guardrailTypes } from '../../packages/guardrails/src/index.ts';
import type { GuardrailType } from '../../packages/guardrails/src/index.ts';
import { anyObject, instant, oneLine, pageQuery, projectIdField, rangeQuery, timestamp, uuid } from './common.ts';
import { environmentName, managers } from './environments.ts';
import { telemetryId } from './ingest.ts';

export type GuardrailTypeName = GuardrailType;
export const guardrailStages = ['input', 'output', 'both'] as const;
export const checkStages = ['input', 'output'] as const;
export const guardrailActions = ['block', 'redact', 'flag'] as const;
/** The action of a guardrail that names none. */
export function defaultActionOf(type: GuardrailTypeName): (typeof guardrailActions)[number] {
  return describeType(type).defaultAction;
}
export const checkActions = ['allow', 'flag', 'redact', 'block'] as const;

/** Guardrails of a project. */
export const maxGuardrails = 100;
/** Characters, as JSON, of the configurations of a project's guardrails together: every check compiles them, every list has them. */
export const maxConfigCharacters = 4 * 1024 * 1024;
/** States of a project's compiled guardrails together: each takes some 200 bytes in every thread that checks. */
export const maxCompiledStates = 500_000;
/** Bytes of UTF-8 of a text that is checked. */
export const maxCheckedBytes = 256 * 1024;

export const guardrailSlug = z.string().regex(/^[a-z0-9-]{1,64}$/, 'must be 1 to 64 lower-case letters, digits and hyphens');
const name = oneLine(200);
// The engine checks it (packages/guardrails, validateConfig).
const config = anyObject
  .meta({ type: 'object', additionalProperties: true })
  .describe('depends on the type (docs/semantics.md, "Guardrails")');
const fields = {
  name: name.describe('the slug by default'),
  type: z.enum(guardrailTypes),
  stage: z.enum(guardrailStages).describe('input: what goes to a model; output: what comes from it'),
  action: z.enum(guardrailActions).describe('flag by default for prompt_injection, else block'),
  config,
  environments: z.array(environmentName).min(1).max(100).nullable().describe('names of environments; null: everywhere'),
  priority: z.number().int().min(0).max(1_000_000).describe('guardrails run by ascending priority, then by slug'),
  enabled: z.boolean(),
  onError: z.enum(['allow', 'block']).describe('what a guardrail that cannot run does'),
};

export const guardrailBody = z.strictObject({
  slug: guardrailSlug,
  name: fields.name.optional(),
  type: fields.type,
  stage: fields.stage.default('input'),
  action: fields.action.optional(),
  config: fields.config.default({}),
  environments: fields.environments.default(null),
  priority: fields.priority.default(100),
  enabled: fields.enabled.default(true),
  onError: fields.onError.default('block'),
});
export type GuardrailBody = z.output<typeof guardrailBody>;

export const guardrailChange = z.strictObject(fields).partial();
export type GuardrailChange = z.output<typeof guardrailChange>;

export const guardrail = z.object({
  id: uuid,
  projectId: uuid,
  slug: z.string(),
  ...fields,
  managedBy: z.enum(managers),
  createdAt: timestamp,
  updatedAt: timestamp,
});
export type GuardrailRecord = z.output<typeof guardrail>;

export const guardrailPage = z.object({ guardrails: z.array(guardrail), nextCursor: z.string().nullable() });
export const guardrailsParams = z.object({ id: z.string() });
export const guardrailParams = z.object({ id: z.string(), guardrailId: z.string() });
export const listGuardrailsQuery = pageQuery;
export type ListGuardrailsQuery = z.output<typeof pageQuery>;

/** A check; `projectId` is read before this schema is applied. */
export const checkBody = z.strictObject({
  projectId: projectIdField,
  text: z.string().describe('at most 256 KiB of UTF-8'),
  stage: z.enum(checkStages).default('input'),
  environment: environmentName.optional(),
  guardrails: z.array(guardrailSlug).max(maxGuardrails).optional().describe('only these run'),
  final: z.boolean().default(true).describe('false while the text may continue'),
  traceId: telemetryId.optional(),
  parentSpanId: telemetryId.optional(),
  count: z.boolean().default(true).describe('false: part of a check that the caller counts itself, with /v1/guardrails/report'),
});
export type CheckBody = z.output<typeof checkBody>;

export const guardrailResult = z.object({
  guardrail: z.string(),
  type: z.enum(guardrailTypes),
  triggered: z.boolean(),
  action: z.enum(checkActions),
  matches: z.array(z.object({ start: z.number().int(), end: z.number().int(), label: z.string() })),
  reason: z.string().nullable(),
  latencyMs: z.number(),
  truncated: z.literal(true).optional(),
  failed: z.literal(true).optional(),
  skipped: z.literal(true).optional(),
});
export const checkAnswer = z.object({
  checkId: uuid,
  action: z.enum(checkActions),
  text: z.string(),
  results: z.array(guardrailResult),
  safeUntil: z.number().int().describe('UTF-16 offset up to which a stream may release the text as sent'),
  policyVersion: z.number().int().describe("the project's policy revision"),
  latencyMs: z.number(),
  unknownEnvironment: z
    .literal(true)
    .optional()
    .describe('the project has no environment of this name: guardrails of environments did not run'),
});
export type CheckAnswer = z.output<typeof checkAnswer>;

export const activityGroupings = ['day', 'environment'] as const;
export const guardrailActivityQuery = z.object({
  ...rangeQuery,
  by: z.enum(activityGroupings).optional().describe('adds `groups`: the results of each guardrail by day or by environment'),
  guardrail: guardrailSlug.optional().describe('with by: groups of this guardrail only'),
});
export type GuardrailActivityQuery = z.output<typeof guardrailActivityQuery>;
const counts = {
  checks: z.number().int(),
  flagged: z.number().int(),
  redacted: z.number().int(),
  blocked: z.number().int(),
};
const failures = {
  failed: z.number().int().describe('it could not run'),
  failedBlocked: z.number().int().describe('of those it blocked: by its present `onError`'),
  caught: z.number().int().describe('triggered without those'),
};
export const guardrailActivity = z.object({
  totals: z.object({ ...counts, allowed: z.number().int(), failed: z.number().int() }),
  byGuardrail: z.array(
    z.object({
      guardrail: z.string(),
      type: z.string(),
      ...counts,
      triggered: z.number().int(),
      ...failures,
      p95LatencyMs: z.number().nullable(),
    }),
  ),
  timeline: z.array(z.object({ day: z.string(), ...counts })),
  groups: z
    .array(
      z.object({
        guardrail: z.string(),
        key: z.string().nullable().describe('the day (UTC, YYYY-MM-DD) or the environment; null: checks without an environment'),
        ...counts,
        triggered: z.number().int(),
        ...failures,
      }),
    )
    .optional()
    .describe('with by: by guardrail, then key'),
});
export type GuardrailActivity = z.output<typeof guardrailActivity>;

/** Reports of a request. */
export const maxReports = 100;
const reportedCount = z.number().int().min(0).max(1_000_000_000);
/** What the SDK counted for one guardrail. A report that does not conform is rejected by itself. */
export const guardrailReport = z
  .strictObject({
    guardrail: guardrailSlug,
    stage: z.enum(checkStages),
    environment: environmentName.nullish(),
    at: instant,
    checks: reportedCount,
    flagged: reportedCount,
    redacted: reportedCount,
    blocked: reportedCount,
    failed: reportedCount,
    reportId: z
      .string()
      .regex(/^[A-Za-z0-9._:-]{1,128}$/, 'must be 1 to 128 letters, digits, dots, underscores, colons and hyphens')
      .describe('a report with the same id replaces it'),
  })
  .refine(({ checks, flagged, redacted, blocked }) => flagged + redacted + blocked <= checks, {
    path: ['checks'],
    error: 'must be at least flagged, redacted and blocked together',
  })
  .refine(({ checks, failed }) => failed <= checks, { path: ['failed'], error: 'must be at most checks' });
export type GuardrailReport = z.output<typeof guardrailReport>;
export const reportBody = z.strictObject({
  projectId: projectIdField,
  reports: z
    .array(z.unknown())
    .min(1)
    .max(maxReports)
    .meta({ items: z.toJSONSchema(guardrailReport, { io: 'input', unrepresentable: 'any' }) }),
});
export const reportAnswer = z.object({
  accepted: z.number().int(),
  rejected: z.array(z.object({ index: z.number().int().describe('from 0'), code: z.string(), error: z.string() })),
});
export type ReportAnswer = z.output<typeof reportAnswer>;

export const policyBundleQuery = z.object({ projectId: projectIdField, environment: environmentName.optional() });

export const bundledGuardrail = z.object({
  slug: z.string(),
  name: z.string(),
  type: z.enum(guardrailTypes),
  stage: z.enum(guardrailStages),
  action: z.enum(guardrailActions),
  config: z.record(z.string(), z.unknown()).nullable(),
  priority: z.number().int(),
  onError: z.enum(['allow', 'block']),
  remote: z.boolean().describe('true: the service must check it'),
});
export const policyBundle = z.object({
  version: z.number().int(),
  etag: z.string(),
  compiledAt: timestamp,
  environment: z.string().nullable(),
  unknownEnvironment: z.literal(true).optional().describe('the project has no environment of this name'),
  guardrails: z.array(bundledGuardrail),
});
export type PolicyBundle = z.output<typeof policyBundle>;
