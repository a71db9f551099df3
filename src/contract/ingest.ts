import { z } from 'zod';
import { spanKinds } from './kinds.ts';
import { timestamp } from './common.ts';

/** Maximum non-blank lines of a request (docs/semantics.md, "Body limits"). */
export const maxLines = 100;

// The error of a line is "<field> <text>."; each text here completes that sentence.
const text = (longest: number) => z.string({ error: 'must be a string' }).max(longest, `must have at most ${longest} characters`);
const name = text(4_096);
const longText = text(1_048_576);
const idText = 'must be 1 to 128 of the characters A-Z a-z 0-9 . _ : - and not one or two dots alone';
/** The id of a trace or span. `.` and `..` cannot stand in a path: browsers and proxies resolve them. */
export const telemetryId = z.string({ error: idText }).regex(/^(?!\.{1,2}$)[A-Za-z0-9._:-]{1,128}$/, idText);
const id = telemetryId;
const slugText = 'must be an ID such as answer-relevance (letters, digits, . _ -)';
/** The name of a project's evaluator. */
export const evaluatorSlug = z.string({ error: slugText }).regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/, slugText);
const evaluatorText = 'must be 1 to 128 printable characters';
/** The name of an evaluator in scores: that of a project's evaluator, or any that an application gives. */
export const evaluatorName = z
  .string({ error: evaluatorText })
  .regex(/^(?=.*\S)[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}]{1,128}$/u, evaluatorText);
/** Upper bound of costs (US dollars), times (milliseconds) and scores, so that sums do not overflow. */
export const maxAmount = 1_000_000_000_000;
const countText = 'must be a whole number from 0';
const count = z.number({ error: countText }).int(countText).min(0, countText).max(Number.MAX_SAFE_INTEGER, countText);
const scoreText = 'must be a number from -1e12 to 1e12, or true or false';
const amountText = 'must be a number from 0 to 1e12';
const amount = z.number({ error: amountText }).min(0, amountText).max(maxAmount, amountText);
const instantText = 'must be an ISO 8601 timestamp with its zone, such as 2026-11-20T10:00:00.000Z';
/** ISO 8601 with a zone; fractions of a second to the nanosecond. Whether the day exists is checked later. */
const instant = z
  .string({ error: instantText })
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})$/, instantText)
  .meta({ format: 'date-time' });
const flag = z.boolean({ error: 'must be true or false' });
// Not z.record, which drops a key named __proto__ from its copy.
const freeForm = z
  .custom<Readonly<Record<string, unknown>>>(
    (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
    'must be an object',
  )
  .meta({ type: 'object' });
const tags = z
  .array(text(200).min(1, 'must not be empty'), { error: 'must be an array of strings' })
  .max(100, 'must have at most 100 entries');
const oneOf = <const T extends readonly string[]>(values: T) => z.enum(values, { error: `must be one of ${values.join(', ')}` });

// Many serialisers send null for an absent value.
const maybe = <T extends z.ZodType>(schema: T) => schema.nullish();

/** Maximum classes of tokens of one call, and characters of a class's name. */
const maxClasses = 50;
const maxClassName = 100;
const classText = `must be an object of at most ${maxClasses} token counts, whole numbers from 0, by class, such as {"inputAudio": 12}`;
/** Not z.record, which drops a key named __proto__ from its copy. */
const classCounts = z
  .custom<Readonly<Record<string, number>>>(
    (value) =>
      freeForm.safeParse(value).success &&
      Object.keys(value as object).length <= maxClasses &&
      Object.entries(value as object).every(
        ([name, tokens]) => name !== '' && name.length <= maxClassName && count.safeParse(tokens).success,
      ),
    classText,
  )
  .meta({ type: 'object', additionalProperties: { type: 'integer', minimum: 0 } });

export const usage = z.strictObject(
  {
    inputTokens: maybe(count),
    outputTokens: maybe(count),
    cachedTokens: maybe(count),
    cacheWriteTokens: maybe(count),
    reasoningTokens: maybe(count),
    details: maybe(classCounts),
  },
  // Unknown fields keep their original text.
  { error: (issue) => (issue.code === 'invalid_type' ? 'must be an object of token counts' : undefined) },
);

const common = {
  sessionId: maybe(name),
  userId: maybe(name),
  environment: maybe(name),
  release: maybe(name),
  tags: maybe(tags),
  input: z.unknown().optional(),
  output: z.unknown().optional(),
  metadata: maybe(freeForm),
};

export const spanEvent = z.strictObject({
  type: z.literal('span'),
  traceId: id,
  spanId: id,
  parentSpanId: maybe(id),
  name: name.min(1, 'must not be empty'),
  kind: maybe(oneOf(spanKinds)),
  startTime: instant,
  endTime: maybe(instant),
  model: maybe(name),
  provider: maybe(name),
  agentName: maybe(name),
  operation: maybe(name),
  usage: maybe(usage),
  costUsd: maybe(amount),
  timeToFirstTokenMs: maybe(amount),
  status: maybe(oneOf(['ok', 'error'])),
  errorCode: maybe(name),
  errorMessage: maybe(longText),
  promptName: maybe(name),
  promptVersion: maybe(z.union([name, count], { error: 'must be a version, such as 3' })),
  promptVariables: maybe(freeForm).describe('what the prompt was compiled with; kept as the attribute spanwise.prompt.variables'),
  attributes: maybe(freeForm),
  ...common,
});

export const traceEvent = z.strictObject({
  type: z.literal('trace'),
  traceId: id,
  name: maybe(name),
  timestamp: maybe(instant),
  ...common,
});

export const scoreEvent = z.strictObject({
  type: z.literal('score'),
  scoreId: maybe(id),
  traceId: maybe(id),
  spanId: maybe(id),
  sessionId: maybe(name.min(1, 'must not be empty')),
  evaluator: evaluatorName,
  score: maybe(
    z.union([z.number().min(-maxAmount, scoreText).max(maxAmount, scoreText), z.boolean()], { error: scoreText }),
  ).describe('required without a label'),
  passed: maybe(flag),
  label: maybe(name),
  comment: maybe(longText),
  model: maybe(name),
  timestamp: maybe(instant),
});

/** The body of `POST /v1/projects/{id}/scores`: a score event without its type. */
export const scoreBody = scoreEvent.omit({ type: true });
export type ScoreBody = z.output<typeof scoreBody>;

export const ingestEvent = z.discriminatedUnion('type', [spanEvent, traceEvent, scoreEvent]);
export type IngestEvent = z.output<typeof ingestEvent>;

export const lineError = z.object({
  line: z.number().int().describe('1-based line of the body, blank lines counted'),
  code: z.string(),
  error: z.string(),
});
export type LineError = z.output<typeof lineError>;

export const ingestAnswer = z.object({ accepted: z.number().int(), rejected: z.array(lineError) });
export const ingestRefusal = ingestAnswer.partial().extend({ error: z.string(), code: z.string().optional() });

/** What `POST /v1/traces` answers in JSON when it has rejected spans, and when it refuses a request. */
export const otlpPartialSuccess = z.object({ partialSuccess: z.object({ rejectedSpans: z.string(), errorMessage: z.string() }) });
export const otlpError = z.object({ error: z.string(), code: z.string(), message: z.string() });

/** How a client sends: the SDK, OTLP, or other requests to `/v1/ingest`. */
export const clientKinds = ['sdk', 'otlp', 'http'] as const;
export type ClientKind = (typeof clientKinds)[number];

const tally = z.number().int();
export const ingestClient = z.object({
  client: z.string().describe('of the SDK, else of the user agent; other: clients beyond 200 a day'),
  version: z.string().nullable(),
  kind: z.enum(clientKinds),
  scope: z.string().optional().describe('OTLP: the instrumentation scope, name@version'),
  lastSeenAt: timestamp,
  accepted: tally.describe('events'),
  rejected: tally.describe('events; a refused body counts as one'),
  reasons: z.array(z.object({ code: z.string(), count: tally })).describe('of the rejected, most first'),
  dropped: z
    .object({ queue_full: tally, too_old: tally, refused: tally })
    .describe('events that the SDK reports as dropped before they were sent, since its start; 0 of other clients'),
});
export type IngestClient = z.output<typeof ingestClient>;

export const ingestHealth = z.object({
  status: z.enum(['healthy', 'stale', 'never']),
  lastEventAt: timestamp.nullable(),
  lastSpanAt: timestamp.nullable(),
  eventsLastHour: z.number().int(),
  eventsLastDay: z.number().int(),
  rejectedLastHour: z.number().int().describe('rejected events; a refused body counts as one'),
  latestRejections: z
    .array(z.object({ at: timestamp, code: z.string(), error: z.string(), count: z.number().int() }))
    .describe('reasons of the last hour, newest first, at most 10'),
  pendingEvents: z.number().int().describe('acknowledged, and not yet in lists and figures'),
  pendingMs: z.number().int().describe('how long the oldest of the pending events has waited; 0 without any'),
  search: z
    .object({ copied: z.number().int(), total: z.number().int().nullable() })
    .nullable()
    .describe(
      'spans of an earlier release whose texts are copied for fast searches, which are slow until then; null when all are',
    ),
  clients: z.array(ingestClient).describe('seen on the last 7 UTC days, today included; the latest first, at most 50'),
  quota: z.object({ used: z.number().int(), limit: z.number().int(), resetsAt: timestamp }),
});
