import { z } from 'zod';
import { anyRangeQuery, storable } from './common.ts';
import { filterText } from './traces.ts';

/** Ids that a selection names. */
export const maxSelectedIds = 5_000;

const recordId = z.string().min(1).max(128);
const spanIds = z.strictObject({ traceId: recordId, spanId: recordId });
const ids = z
  .array(z.union([recordId, spanIds]))
  .max(maxSelectedIds)
  .describe('traces by their ids, spans as {traceId, spanId}');

const tags = z
  .array(
    z
      .string()
      .min(1)
      .max(100)
      .refine(...storable),
  )
  .min(1)
  .max(50);

export const selectionAction = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('delete') }).describe('traces alone; by a user'),
  z.strictObject({
    type: z.literal('addToDataset'),
    datasetId: z.string().max(100),
    expectedOutput: z.enum(['output', 'none']).default('output').describe('output: that of the record'),
  }),
  z.strictObject({ type: z.literal('addTags'), tags }).describe('traces alone; kept when a trace is sent again'),
  z.strictObject({ type: z.literal('removeTags'), tags }).describe('traces alone; kept when a trace is sent again'),
  z
    .strictObject({
      type: z.literal('evaluate'),
      evaluators: z.array(z.string().min(1).max(128)).min(1).max(20).describe('their slugs'),
      onlyUnscored: z.boolean().default(true).describe('leave records as they are that an evaluator has scored'),
      maxItems: z.number().int().min(1).max(1_000_000).optional().describe('the newest of the selected records'),
      maxCostUsd: z.number().min(0).optional().describe('once the judges have cost so much, nothing more is asked'),
    })
    .describe('by enabled evaluators that need no expected output; a score carries the time of its record'),
  z
    .strictObject({
      type: z.literal('export'),
      format: z.enum(['jsonl', 'csv']),
      payloads: z.boolean().default(false).describe('with input, output, metadata and attributes'),
    })
    .describe('a file for 7 days'),
]);
export type SelectionAction = z.output<typeof selectionAction>;

export const selectionBody = z.strictObject({
  on: z.enum(['spans', 'traces']),
  ids: ids.min(1).optional(),
  ...anyRangeQuery,
  filter: filterText.optional(),
  view: z.string().max(100).optional().describe('of a saved view, whose filter and range it takes'),
  except: ids.optional().describe('left out'),
  action: selectionAction,
});
export type SelectionBody = z.output<typeof selectionBody>;
