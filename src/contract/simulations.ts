import { z } from 'zod';
import { oneLine, pageQuery, pricedCalls, storable, timestamp, uuid } from './common.ts';
import { batchRunStatuses } from './kinds.ts';

/** Limits of scenarios and batch runs (docs/semantics.md, "Simulations"). */
export const simulationLimits = {
  scenarios: 500,
  evaluators: 20,
  headers: 50,
  /** Bytes of the body of an HTTP target as JSON. */
  bodyBytes: 65_536,
  /** Levels of it. */
  bodyDepth: 100,
  /** Items of the dataset times repetitions. */
  items: 100_000,
  /** Batch runs of a project. */
  running: 10,
  queued: 100,
};

const longestUrl = 2_048;
const longestHeader = 8_192;
const longestDescription = 10_000;
/** What a secret header reads as. */
export const hiddenHeader = '***';

/** Headers that the client sets itself, or that concern the connection. */
const reservedHeaders = new Set([
  'accept-encoding',
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Headers whose values are no secrets. */
const harmlessHeaders = new Set(['accept', 'accept-language', 'content-type', 'user-agent', 'x-request-id']);

/** Whether the value of a header is kept encrypted and never returned: all but a few are. */
export function isSecretHeader(name: string): boolean {
  return !harmlessHeaders.has(name.toLowerCase());
}

/** Named secrets of a target. */
const maxSecrets = 20;
const secretName = /^[A-Za-z0-9_-]{1,64}$/;
/** Where a secret stands in a URL's query or in a body. */
export const secretPlaceholder = /\{\{\s{0,20}secret\.([^\s{}.]{1,100})\s{0,20}\}\}/g;

const name = oneLine(200);
const description = z
  .string()
  .max(longestDescription)
  .refine(...storable);

const url = z
  .string()
  .trim()
  .max(longestUrl)
  .refine(...storable)
  .refine(isTargetUrl, 'must be a URL that starts with http:// or https://, without user name and password')
  .describe('must resolve to addresses of the public internet alone; nothing lifts this');

function isTargetUrl(text: string): boolean {
  const parsed = URL.parse(text);
  // A parsed URL does not show an empty user name.
  return (
    parsed !== null &&
    /^https?:\/\/[^/?#\\]/i.test(text) &&
    !/^https?:\/\/[^/?#\\]*@/i.test(text) &&
    parsed.username === '' &&
    parsed.password === ''
  );
}

const headers = z
  .record(
    z
      .string()
      .max(256)
      .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, 'must be the name of a header')
      .refine((given) => !reservedHeaders.has(given.toLowerCase()) && !/^proxy-/i.test(given), 'is set by the service'),
    z
      .string()
      .max(longestHeader)
      .regex(/^(?:[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?)?$/, 'must be visible ASCII characters'),
  )
  .refine(
    (given) => Object.keys(given).length <= simulationLimits.headers,
    `must have at most ${simulationLimits.headers} headers`,
  )
  .refine(
    (given) => new Set(Object.keys(given).map((one) => one.toLowerCase())).size === Object.keys(given).length,
    'must have each header once',
  )
  .describe(
    `values are kept encrypted and read as ${hiddenHeader}, which keeps them, but for ${[...harmlessHeaders].join(', ')}`,
  );

const secrets = z
  .record(
    z.string().regex(secretName, 'must be 1 to 64 of the characters A-Z a-z 0-9 _ -'),
    z
      .string()
      .min(1)
      .max(longestHeader)
      .refine(...storable)
      .meta({ writeOnly: true }),
  )
  .refine((given) => Object.keys(given).length <= maxSecrets, `must have at most ${maxSecrets} secrets`)
  .describe(
    `fill {{secret.name}} in the query of the URL and in the body; kept encrypted and read as ${hiddenHeader}, which keeps them, as leaving out secrets does`,
  );

const outputPath = z
  .string()
  .max(1_000)
  .refine(...storable)
  .refine((path) => path === '' || /^(?:\/(?:[^~/]|~[01])*)+$/u.test(path), 'must be a JSON pointer, such as /output, or empty');

export const targetMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

const httpTarget = z.strictObject({
  type: z.literal('http'),
  url,
  method: z.enum(targetMethods).default('POST'),
  headers: headers.default({}),
  secrets: secrets.optional(),
  body: z
    .unknown()
    .optional()
    .transform((body) => (body === undefined ? { input: '{{input}}' } : body))
    .describe(
      'any JSON, sent as JSON; {{input}}, {{input.field}}, {{metadata}}, {{metadata.field}} and {{secret.name}} in its strings are replaced. Default: {"input": "{{input}}"}. A GET has none',
    ),
  outputPath: outputPath.default('/output').describe("a JSON pointer into the answer's JSON; empty: all of it, or its text"),
  timeoutMs: z.number().int().min(100).max(300_000).default(30_000).describe('for the whole request, redirects included'),
});

const promptTarget = z.strictObject({
  type: z.literal('prompt'),
  promptName: oneLine(200),
  label: oneLine(100).default('production').describe('the version with this label; latest for the newest one'),
  connection: oneLine(200).describe('name of a model connection'),
  model: oneLine(256).optional().describe("default: the connection's"),
});

export const scenarioTarget = z.discriminatedUnion('type', [httpTarget, promptTarget]);
export type ScenarioTarget = z.output<typeof scenarioTarget>;
export type HttpTarget = z.output<typeof httpTarget>;
export type PromptTarget = z.output<typeof promptTarget>;

export const referenceModes = ['exact', 'fuzzy'] as const;
export type ReferenceMode = (typeof referenceModes)[number];
const referenceMatch = z
  .strictObject({ mode: z.enum(referenceModes) })
  .nullable()
  .describe('exact: equal as JSON; fuzzy: edit similarity of at least 0.8; null: outputs are not compared');

const evaluators = z
  .array(z.string().max(200))
  .max(simulationLimits.evaluators)
  .refine((slugs) => new Set(slugs).size === slugs.length, 'must name each evaluator once')
  .describe('slugs');

export const scenarioFields = {
  name,
  description: description.nullable(),
  target: scenarioTarget,
  datasetId: z.string().max(100),
  evaluators,
  referenceMatch,
};

export const scenarioBody = z.strictObject({
  ...scenarioFields,
  description: scenarioFields.description.default(null),
  evaluators: evaluators.default([]),
  referenceMatch: referenceMatch.default(null),
});
export type ScenarioBody = z.output<typeof scenarioBody>;
export const scenarioChange = z.strictObject(scenarioFields).partial();
export type ScenarioChange = z.output<typeof scenarioChange>;

const shownTarget = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('http'),
    url: z.string(),
    method: z.enum(targetMethods),
    headers: z.record(z.string(), z.string()),
    secrets: z.record(z.string(), z.string()).optional().describe('the names of secrets, each with ***'),
    body: z.unknown().describe('any JSON'),
    outputPath: z.string(),
    timeoutMs: z.number().int(),
  }),
  z.object({
    type: z.literal('prompt'),
    promptName: z.string(),
    label: z.string(),
    connection: z.string(),
    model: z.string().optional(),
  }),
]);

export const scenario = z.object({
  id: uuid,
  projectId: uuid,
  name: z.string(),
  description: z.string().nullable(),
  target: shownTarget,
  datasetId: uuid,
  evaluators: z.array(z.string()),
  referenceMatch: z.object({ mode: z.enum(referenceModes) }).nullable(),
  newestRun: z
    .object({ id: uuid, status: z.enum(batchRunStatuses), createdAt: timestamp })
    .nullable()
    .describe('its newest batch run; null without one'),
  createdAt: timestamp,
  updatedAt: timestamp,
});
export type Scenario = z.output<typeof scenario>;
export const scenarioPage = z.object({
  scenarios: z.array(scenario).describe('oldest first'),
  nextCursor: z.string().nullable(),
});
export const scenariosQuery = pageQuery.extend({
  name: z.string().max(200).optional().describe('the scenario of this name'),
  q: z.string().max(200).optional().describe('scenarios whose name contains this, in any case'),
});
export type ScenariosQuery = z.output<typeof scenariosQuery>;

export const simulationsParams = z.object({ id: z.string() });
export const scenarioParams = simulationsParams.extend({ scenarioId: z.string() });
export const batchRunParams = simulationsParams.extend({ batchRunId: z.string() });

export const batchRunBody = z.strictObject({
  scenarioId: z.string().max(100),
  concurrency: z.number().int().min(1).max(32).default(4).describe('items that are sent at the same time'),
  label: oneLine(100).nullable().default(null).describe('to find the run again, for example the name of a branch'),
  repetitions: z.number().int().min(1).max(10).default(1).describe('how often each item is sent'),
});
export type BatchRunBody = z.output<typeof batchRunBody>;

const count = z.number().int();
const rate = z.number().nullable().describe('0..1; null while no item has ended');

export const batchRun = z.object({
  id: uuid,
  scenarioId: uuid,
  scenarioName: z.string().describe('as of the start of the run'),
  label: z.string().nullable(),
  status: z.enum(batchRunStatuses),
  error: z.string().nullable().describe('why a failed run could not be done'),
  concurrency: count,
  repetitions: count,
  createdAt: timestamp,
  startedAt: timestamp.nullable(),
  completedAt: timestamp.nullable(),
  createdBy: z.string(),
  counts: z.object({ total: count, pending: count, passed: count, failed: count, error: count, cancelled: count }),
  passRate: rate.describe('passed / (passed + failed + error); null while no item has ended'),
  errorRate: rate.describe('error / (passed + failed + error); null while no item has ended'),
  latencyP50Ms: z.number().nullable().describe('null when no item has a latency'),
  latencyP95Ms: z.number().nullable(),
  costUsd: z.number().describe('US dollars of all items'),
  ...pricedCalls,
  datasetId: uuid,
  datasetRunId: uuid.nullable().describe('null when the dataset run was deleted'),
  url: z.string().nullable().describe('the page of the dataset run'),
});
export type BatchRun = z.output<typeof batchRun>;
export const oneBatchRun = z.object({ batchRun });
export const batchRunPage = z.object({
  batchRuns: z.array(batchRun).describe('newest first'),
  nextCursor: z.string().nullable(),
});
export const batchRunsQuery = pageQuery.extend({
  scenarioId: z.string().max(100).optional(),
  status: z.enum(batchRunStatuses).optional(),
  label: z.string().max(100).optional(),
  datasetId: z.string().max(100).optional(),
  q: z.string().max(200).optional().describe('runs whose label or scenario contains this, in any case'),
});
export type BatchRunsQuery = z.output<typeof batchRunsQuery>;

export const batchItemStatuses = ['pending', 'passed', 'failed', 'error', 'cancelled'] as const;
export type BatchItemStatus = (typeof batchItemStatuses)[number];
export const batchItemScore = z.object({
  evaluator: z.string(),
  score: z.number(),
  passed: z.boolean().nullable().describe('null: the evaluator gives no verdict'),
  comment: z.string().nullable(),
});
const itemResult = {
  repetition: count.describe('from 1'),
  status: z.enum(batchItemStatuses),
  output: z.unknown().describe('any JSON; null without an output'),
  error: z.string().nullable(),
  errorKind: z.enum(['target', 'evaluator']).nullable().describe('evaluator: the target answered, and an evaluator failed'),
  latencyMs: z.number().nullable(),
  costUsd: z.number().nullable(),
  ...pricedCalls,
  traceId: z.string().nullable(),
  referenceMatch: z.boolean().nullable().describe('null: there is nothing to match'),
  scores: z.array(batchItemScore),
};
export const itemChanges = ['regressed', 'improved', 'unchanged', 'newly_failing'] as const;
export type ItemChange = (typeof itemChanges)[number];
const itemChange = z
  .enum(itemChanges)
  .describe('newly_failing: an error, and none in the baseline. A regressed item may be newly failing, too');
export const batchItem = z.object({
  datasetItemId: uuid,
  inputPreview: z
    .string()
    .nullable()
    .describe('the first 200 characters of the input as JSON, as the dataset has it now; null: the item was deleted'),
  ...itemResult,
  changes: z.array(itemChange).optional().describe('given with a baseline; empty where one of the two has not ended'),
  baseline: z.object(itemResult).nullable().optional().describe('given with a baseline; null where that has no such item'),
});
export type BatchItem = z.output<typeof batchItem>;
export const batchItemPage = z.object({
  items: z.array(batchItem).describe('in the order of the dataset'),
  nextCursor: z.string().nullable(),
});
const baseline = z.string().max(100).optional().describe('a batch run that items are compared with');
export const batchItemsQuery = pageQuery
  .extend({
    status: z.enum(batchItemStatuses).optional(),
    baseline,
    change: itemChange.optional().describe('needs a baseline'),
  })
  .refine(({ change, baseline: given }) => change === undefined || given !== undefined, {
    path: ['baseline'],
    message: 'is required with change',
  });
export type BatchItemsQuery = z.output<typeof batchItemsQuery>;

const distribution = z
  .array(
    z.object({
      from: z.number(),
      to: z.number().nullable().describe('excluded; null: no end'),
      count,
      baseline: count.nullable().describe('null without a baseline'),
    }),
  )
  .describe('at most 25 ranges, all but the last of the same width; empty without values');
export type Distribution = z.output<typeof distribution>;
export const distributionsQuery = z.object({ baseline });
export const distributions = z.object({
  latencyMs: distribution,
  costUsd: distribution,
  changes: z
    .object({ regressed: count, improved: count, unchanged: count, newly_failing: count })
    .nullable()
    .describe('how many items changed from the baseline; null without one'),
});
export type Distributions = z.output<typeof distributions>;
