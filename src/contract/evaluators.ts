import { z } from 'zod';
import { spanKinds } from './kinds.ts';

/** The eight measures of an evaluator (contract section 7). */
export const evaluatorTypeNames = ['exact', 'fuzzy', 'contains', 'regex', 'json_schema', 'latency', 'cost', 'llm_judge'] as const;
export type EvaluatorTypeName = (typeof evaluatorTypeNames)[number];

/** What an evaluator looks at. */
export const evaluatorTargets = ['span', 'trace', 'session'] as const;
export type EvaluatorTarget = (typeof evaluatorTargets)[number];

/** Text that every database can keep: PostgreSQL refuses NUL, and a lone surrogate in JSON. */
function text(most: number) {
  return z
    .string()
    .min(1)
    .max(most)
    .refine((value) => !value.includes('\0') && value.isWellFormed(), 'must not hold NUL characters or half surrogate pairs');
}

const longestPattern = 1_000;
const longestValue = 10_000;
const longestInstructions = 20_000;
const largestScale = 1_000_000;

const scale = z
  .tuple([z.number().min(-largestScale).max(largestScale), z.number().min(-largestScale).max(largestScale)])
  .refine(([least, most]) => least < most, 'must be [min, max] with min below max')
  .describe('lowest and highest score of the judge');

/** The shape of `config` by type. What it takes to check a pattern or a schema as well is in features/evaluation/types. */
export const evaluatorConfigs = {
  exact: z.looseObject({ ignoreCase: z.boolean().optional() }),
  fuzzy: z.looseObject({ threshold: z.number().min(0).max(1).default(0.8) }),
  contains: z.looseObject({ value: text(longestValue), ignoreCase: z.boolean().optional() }),
  regex: z.looseObject({
    pattern: text(longestPattern).describe('RE2 syntax: no look-around, no back-references'),
    flags: z
      .string()
      .regex(/^(?:([imsu])(?!.*\1))*$/, 'must be some of the flags i, m, s and u, each once')
      .optional(),
  }),
  json_schema: z.looseObject({
    schema: z.record(z.string(), z.unknown()).describe('a JSON Schema, 2020-12 or, by its $schema, draft-07'),
  }),
  latency: z.looseObject({ maxMs: z.number().min(0) }),
  cost: z.looseObject({ maxUsd: z.number().min(0) }),
  llm_judge: z.looseObject({
    connectionId: z.uuid().describe('a model connection of the project'),
    model: text(256),
    instructions: text(longestInstructions),
    scale,
  }),
} as const satisfies Record<EvaluatorTypeName, z.ZodType>;

/** The checked configuration of each type. */
export type EvaluatorConfigs = { [Name in EvaluatorTypeName]: z.output<(typeof evaluatorConfigs)[Name]> };

const names = z.array(text(256)).min(1).max(100).optional();

/** Which data an evaluator looks at: every field that is there must hold, with one of its values. */
export const evaluatorFilter = z.strictObject({
  kinds: z.array(z.enum(spanKinds)).min(1).max(spanKinds.length).optional(),
  models: names,
  agents: names,
  environments: names,
  tags: names,
});
export type EvaluatorFilter = z.output<typeof evaluatorFilter>;
