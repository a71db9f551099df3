import { z } from 'zod';
import { numberInQuery, pageLimit, pageQuery, pricedCalls, projectIdField as projectId, timestamp, uuid } from './common.ts';

/** Maximum items of a request and of a response (docs/semantics.md, "Dataset items"). */
export const maxItems = 1000;

const longestDescription = 10_000;
const longestId = 256;
const longestError = 20_000;

/** A lone surrogate has no UTF-8 form and would be replaced when stored. */
const wellFormed = (text: string) => text.isWellFormed();
const nameSchema = z
  .string()
  .trim()
  .min(1)
  // Counts characters, not UTF-16 units.
  .regex(/^\P{Cc}{0,200}$/u, 'must have at most 200 characters, and no control characters')
  .refine(wellFormed, 'must not have unpaired surrogates');

const description = z
  .string()
  .max(longestDescription)
  .refine((text) => !text.includes('\0') && wellFormed(text), 'must not have NUL characters or unpaired surrogates');

/** A client's id, stored as it was sent. */
const foreignId = z
  .string()
  .min(1)
  .max(longestId)
  .refine((text) => !text.includes('\0') && wellFormed(text), 'must not have NUL characters or unpaired surrogates');

// Not validated by zod, whose copies of objects drop members named __proto__.
export const freeForm = z
  .unknown()
  .refine((value) => typeof value === 'object' && value !== null && !Array.isArray(value), 'must be an object')
  .meta({ type: 'object', additionalProperties: true });

export const anyJson = z.unknown().describe('any JSON');

export const datasetParams = z.object({ datasetId: z.string() });
export const itemParams = datasetParams.extend({ itemId: z.string() });
export const runParams = datasetParams.extend({ runId: z.string() });

export const dataset = z.object({
  id: uuid,
  projectId: uuid,
  name: z.string(),
  description: z.string().nullable(),
  metadata: z.unknown().meta({ type: 'object', additionalProperties: true }),
  itemCount: z.number().int(),
  createdAt: timestamp,
  updatedAt: timestamp,
});
export type Dataset = z.output<typeof dataset>;

export const datasetBody = z.strictObject({
  projectId,
  name: nameSchema,
  description: description.nullable().optional(),
  metadata: freeForm.optional(),
});
export type DatasetBody = z.output<typeof datasetBody>;
export const datasetChange = datasetBody.partial();
export type DatasetChange = z.output<typeof datasetChange>;

export const datasetsQuery = pageQuery.extend({
  projectId,
  name: z.string().max(1000).optional().describe('the dataset with this name'),
  q: z.string().max(200).optional().describe('datasets whose name contains this, in any case'),
});
export type DatasetsQuery = z.output<typeof datasetsQuery>;
export const datasetPage = z.object({ datasets: z.array(dataset), nextCursor: z.string().nullable() });

const source = z.object({ traceId: z.string(), spanId: z.string() });

/** Characters (code points) of an item's id in the application's own records. */
export const longestExternalId = 200;
export const externalId = z
  .string()
  .min(1)
  .refine(
    (text) => text.length <= 2 * longestExternalId && [...text].length <= longestExternalId,
    `must have at most ${longestExternalId} characters`,
  )
  .refine((text) => !text.includes('\0') && wellFormed(text), 'must not have NUL characters or unpaired surrogates')
  .describe("the item's id in the application's own records, unique in the dataset: sent again, it updates the item");

export const datasetItem = z.object({
  id: uuid,
  datasetId: uuid,
  input: anyJson,
  expectedOutput: anyJson.optional().describe('any JSON; absent when the item has none'),
  metadata: z.unknown().meta({ type: 'object', additionalProperties: true }),
  externalId: externalId.optional().describe('absent when the item has none'),
  source: source.optional().describe('the span from which the item was created'),
  createdAt: timestamp,
  updatedAt: timestamp,
});
export const datasetItems = z.object({ items: z.array(datasetItem) });

const itemFields = {
  input: anyJson.optional().describe('any JSON; required without a source'),
  expectedOutput: anyJson.optional(),
  metadata: freeForm.optional(),
  externalId: externalId.optional(),
  source: z
    .strictObject({ traceId: foreignId, spanId: foreignId.optional() })
    .optional()
    .describe("input and expectedOutput are the span's (or root's) input and output; given fields win"),
};
const withInput = 'is required, unless the item has a source';

const newItem = z.strictObject(itemFields).refine(hasInput, { path: ['input'], message: withInput });
export type NewItem = z.output<typeof newItem>;

function hasInput(item: { input?: unknown; source?: unknown }): boolean {
  return Object.hasOwn(item, 'input') || item.source !== undefined;
}

export const itemsBody = z
  .strictObject({ projectId, items: z.array(newItem).min(1).max(maxItems).optional(), ...itemFields })
  .superRefine((body, check) => {
    const alone = Object.keys(itemFields).filter((field) => Object.hasOwn(body, field));
    if (body.items === undefined) {
      if (!hasInput(body)) check.addIssue({ code: 'custom', path: ['input'], message: withInput });
    } else if (alone[0] !== undefined) {
      check.addIssue({ code: 'custom', path: [alone[0]], message: 'cannot stand beside items; put it into one of them' });
    }
  })
  .describe(`one item, or {items} with up to ${maxItems} of them`);
export type ItemsBody = z.output<typeof itemsBody>;

export const itemChange = z
  .strictObject({
    projectId,
    input: anyJson.optional(),
    expectedOutput: anyJson.optional().describe('any JSON; null is stored as a value'),
    metadata: freeForm.optional(),
    externalId: externalId.nullable().optional().describe('null: none'),
    unset: z.array(z.literal('expectedOutput')).max(1).optional().describe('removes expectedOutput'),
  })
  .refine((body) => !body.unset?.length || !Object.hasOwn(body, 'expectedOutput'), {
    path: ['unset'],
    message: 'names a field that is given too',
  });
export type ItemChange = z.output<typeof itemChange>;

export const itemsQuery = z.object({
  projectId,
  after: z.string().max(longestId).optional().describe('the id of an item; returns the items after it'),
  limit: numberInQuery(z.number().int().min(1).max(maxItems).default(maxItems)),
});
export type ItemsQuery = z.output<typeof itemsQuery>;

export const exportQuery = z.object({ projectId, format: z.enum(['jsonl', 'csv']).default('jsonl') });

const columnName = z.string().min(1).max(1_000);
const columnNames = z.union([columnName, z.array(columnName).min(1).max(100)]);
const importColumns = z.strictObject({
  input: columnNames,
  expectedOutput: columnNames.optional(),
  metadata: columnNames.optional(),
  externalId: columnName.optional(),
});
/** Which columns, or fields of a JSON line, make which part of an item; several make an object with their names. */
export type ImportColumns = z.output<typeof importColumns>;

export const importQuery = z.object({
  projectId,
  format: z.enum(['jsonl', 'csv']).optional().describe('default: by the content type'),
  columns: z
    .string()
    .max(65_536)
    .transform((text, context): ImportColumns => {
      const read = importColumns.safeParse(jsonOf(text));
      if (read.success) return read.data;
      context.addIssue({
        code: 'custom',
        message: 'must be JSON {input, expectedOutput?, metadata?, externalId?} of column names',
      });
      return z.NEVER;
    })
    .optional()
    .describe(
      'JSON {input, expectedOutput, metadata, externalId}: names of columns, or of fields of JSON lines; a list of names makes an object with them. Others are left out',
    ),
  dryRun: z
    .enum(['true', 'false', ''])
    .default('false')
    .transform((value) => value !== 'false')
    .describe('true: nothing is stored, and the first 20 rows are returned as they would be'),
});

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export const imported = z.object({
  imported: z.number().int().describe('how many rows became items'),
  updated: z.number().int().optional().describe('how many of them updated an item of the same externalId; absent: none'),
});
export const importPreview = z.object({
  items: z
    .array(
      z.object({
        input: anyJson,
        expectedOutput: anyJson.optional(),
        metadata: z.unknown().meta({ type: 'object', additionalProperties: true }),
        externalId: z.string().optional(),
      }),
    )
    .describe('at most 20, as they would be'),
  encoding: z.enum(['utf-8', 'utf-16le', 'utf-16be', 'windows-1252']),
  delimiter: z.string().nullable().describe('null of JSONL'),
  columns: z.array(z.string()).describe('the header of a CSV file'),
});
export const importRefusal = z.object({
  error: z.string(),
  code: z.string(),
  line: z.number().int().optional().describe('1-based line of the body'),
  column: z
    .union([z.string(), z.number().int()])
    .optional()
    .describe('the field, or the 1-based character where the line is not JSON'),
  columns: z.array(z.string()).optional().describe('the header, where it is what was wrong'),
  details: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
});

const rate = z.number().describe('0..1');

export const runAggregates = z.object({
  itemCount: z.number().int(),
  errorRate: rate.describe('0..1; 0 without items. An item that does not say whether it failed counts as its trace does'),
  latencyP50Ms: z.number().nullable().describe('null when no item has a latency'),
  latencyP95Ms: z.number().nullable(),
  costUsd: z.number().describe('of all items'),
  ...pricedCalls,
  byEvaluator: z
    .array(
      z.object({
        evaluator: z.string(),
        avgScore: z.number().nullable().describe('null without scores'),
        passRate: rate.nullable().describe('null when no score is passed or failed'),
        count: z.number().int().describe('items that it scored'),
        failed: z.number().int().describe('items whose evaluation failed, and that have no score of it'),
        skipped: z.number().int().describe('items that it skipped'),
        waiting: z.number().int().describe('items whose evaluation has not ended'),
      }),
    )
    .describe('by evaluator'),
});
export type RunAggregates = z.output<typeof runAggregates>;

export const runBody = z.strictObject({ projectId, name: nameSchema, metadata: freeForm.optional() });
export type RunBody = z.output<typeof runBody>;
export const run = z.object({
  id: uuid,
  datasetId: uuid,
  name: z.string().describe('may repeat within the dataset'),
  metadata: z.unknown().meta({ type: 'object', additionalProperties: true }),
  createdAt: timestamp,
  updatedAt: timestamp,
  aggregates: runAggregates,
});
export const runsQuery = pageQuery.extend({ projectId });
export const runPage = z.object({ runs: z.array(run), nextCursor: z.string().nullable() });

// Bounded, so that sums stay finite.
const measure = z.number().min(0).max(1e15);

export const runItemsBody = z.strictObject({
  projectId,
  items: z
    .array(
      z.strictObject({
        datasetItemId: z.string().max(longestId),
        traceId: foreignId.nullable().optional(),
        output: anyJson.optional(),
        latencyMs: measure.nullable().optional().describe("milliseconds; default: the trace's"),
        costUsd: measure.nullable().optional().describe("US dollars; default: the trace's"),
        error: z
          .union([z.string().max(longestError), z.boolean()], { error: 'must be a text or true' })
          .nullable()
          .optional()
          .describe(
            'what went wrong, or true; false or an empty text: it did not fail. Left out or null: it failed if its trace did, that is if a span of it has failed',
          ),
      }),
    )
    .min(1)
    .max(maxItems),
});
export type RunItemsBody = z.output<typeof runItemsBody>;

export const runScore = z.object({
  evaluator: z.string(),
  score: z.number(),
  passed: z.boolean().nullable(),
  comment: z.string().nullable(),
});
export type RunScore = z.output<typeof runScore>;

const outcome = {
  traceId: z.string().nullable(),
  output: anyJson.describe("any JSON; default: the output of the trace's root, else null"),
  latencyMs: z.number().nullable().describe("default: the trace's"),
  costUsd: z.number().nullable().describe("default: the trace's"),
  error: z
    .union([z.string(), z.literal(true)])
    .nullable()
    .describe('the error; default: true when the trace failed'),
};
const runItem = z.object({ id: uuid, runId: uuid, datasetItemId: uuid, ...outcome, createdAt: timestamp });
export const runItemsAdded = z.object({ items: z.array(runItem) }).describe('as given, without values from traces');
const scores = z.array(runScore).describe("by evaluator; the run's own, else the trace's");
export const runDetail = run.extend({
  items: z.array(runItem.extend({ ...pricedCalls, scores })).describe('in the order of the dataset'),
  nextCursor: z.string().nullable(),
});
export const runQuery = z.object({
  projectId,
  limit: numberInQuery(pageLimit.optional()).describe(`how many items; default ${maxItems}`),
  cursor: z.string().max(1024).optional(),
});
export type RunQuery = z.output<typeof runQuery>;

export const compareQuery = z.object({
  projectId,
  runs: z
    .string()
    .refine((text) => /^[^,]+,[^,]+$/.test(text), 'must be the ids of two runs with a comma between them')
    .describe('a,b'),
});
export const comparedItem = z.object({ runItemId: uuid, ...outcome, ...pricedCalls, scores });
const side = comparedItem.nullable().describe('null when the run lacks the item');
export const comparison = z.object({
  items: z
    .array(z.object({ datasetItemId: uuid, a: side, b: side }))
    .describe('in the order of the dataset; items that a run has'),
  byEvaluator: z
    .array(
      z.object({
        evaluator: z.string(),
        meanDelta: z.number().nullable().describe('mean of b - a over the items that both have scored; null without any'),
        ciLow: z.number().nullable().describe('95 % paired bootstrap percentile interval'),
        ciHigh: z.number().nullable(),
        n: z.number().int(),
      }),
    )
    .describe('by evaluator'),
});
