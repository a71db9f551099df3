import { z } from 'zod';
import { anyJson, freeForm } from './datasets.ts';
import { batchItemScore, scenarioFields, simulationsParams, targetMethods } from './simulations.ts';

/** Limits of trying an item (docs/semantics.md, "Trying one item"). */
export const tryLimits = {
  /** Characters of a shown text. */
  shownCharacters: 65_536,
  /** Shown messages of a prompt. */
  messages: 100,
  /** Milliseconds until the target has answered. */
  targetMs: 60_000,
  /** Milliseconds until evaluators have ended, too. */
  totalMs: 90_000,
};

export const tryParams = simulationsParams;

const triedItem = z
  .strictObject({
    input: anyJson.optional().describe('any JSON; required'),
    expectedOutput: anyJson.optional(),
    metadata: freeForm.default({}),
  })
  .refine((item) => Object.hasOwn(item, 'input'), { path: ['input'], message: 'is required' });

export const tryBody = z
  .strictObject({
    target: scenarioFields.target,
    evaluators: scenarioFields.evaluators.default([]),
    referenceMatch: scenarioFields.referenceMatch.default(null),
    scenarioId: z.string().max(100).optional().describe('the scenario whose secret headers *** stands for'),
    item: triedItem.optional(),
    datasetItemId: z.string().max(100).optional().describe('an item of any dataset of the project'),
  })
  .refine((body) => (body.item === undefined) !== (body.datasetItemId === undefined), {
    path: ['item'],
    message: 'is required, unless datasetItemId is given',
  });
export type TryBody = z.output<typeof tryBody>;

const shownText = z.object({
  text: z.string().describe(`the first ${tryLimits.shownCharacters} characters`),
  bytes: z.number().int().describe('of the whole'),
  truncated: z.boolean(),
});
export type ShownText = z.output<typeof shownText>;

const headers = z.record(z.string(), z.string());

export const tried = z.object({
  status: z.enum(['passed', 'failed', 'error']),
  request: z
    .object({
      method: z.enum(targetMethods),
      url: z.string(),
      headers: headers.describe('names in lower case; *** for secret ones'),
      body: shownText.nullable().describe('null: none was sent'),
      attempts: z.number().int().describe('1, unless the target asked to try again later'),
    })
    .nullable()
    .describe('the last request to an HTTP target; null when none was sent'),
  response: z
    .object({
      status: z.number().int(),
      url: z.string().describe('where redirects led'),
      headers: headers.describe('those that tell of the content, of redirects and of limits'),
      body: shownText,
      latencyMs: z.number(),
    })
    .nullable()
    .describe('its answer; null when there was none'),
  call: z
    .object({
      promptName: z.string(),
      promptVersion: z.number().int(),
      model: z.string().nullable().describe('null when it did not answer'),
      messages: z.array(z.object({ role: z.string(), content: shownText })).describe(`at most ${tryLimits.messages}`),
      ignored: z.array(z.string()).describe("what of the prompt's configuration was not sent, or was refused by the model"),
      inputTokens: z.number().int().nullable(),
      outputTokens: z.number().int().nullable(),
    })
    .nullable()
    .describe('the question to the model of a prompt target; null when none was asked'),
  output: shownText.nullable().describe('the output as JSON text; null without one'),
  error: z.string().nullable(),
  errorKind: z.enum(['target', 'evaluator']).nullable().describe('evaluator: the target answered, and an evaluator failed'),
  latencyMs: z.number().nullable(),
  costUsd: z.number().nullable(),
  referenceMatch: z.boolean().nullable().describe('null: there is nothing to match'),
  scores: z.array(batchItemScore),
});
export type Tried = z.output<typeof tried>;
