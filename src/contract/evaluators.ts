import { z } from 'zod';
import { filterExpression, storable } from './common.ts';
import { spanKinds } from './kinds.ts';

/** What an evaluator scores. */
export const evaluatorTargets = ['span', 'trace', 'session'] as const;
export type EvaluatorTarget = (typeof evaluatorTargets)[number];

/** Text that both databases can store: PostgreSQL rejects NUL, and lone surrogates in JSON. */
function text(maxLength: number) {
  return z
    .string()
    .min(1)
    .max(maxLength)
    .refine(...storable);
}

const longestPattern = 1_000;
const longestValue = 10_000;
const longestInstructions = 20_000;
const largestScale = 1_000_000;

const scale = z
  .tuple([z.number().min(-largestScale).max(largestScale), z.number().min(-largestScale).max(largestScale)])
  .refine(([min, max]) => min < max, 'must be [min, max] with min below max')
  .describe('lowest and highest score of the judge');

/**
 * The types of evaluators, each with the schema of its `config` and a valid example. features/evaluation/types evaluates them, and checks what the
 * schema cannot: patterns, JSON Schemas and model connections.
 */
export const evaluatorConfigs = {
  exact: z.looseObject({ ignoreCase: z.boolean().optional() }).meta({ examples: [{}] }),
  fuzzy: z.looseObject({ threshold: z.number().min(0).max(1).default(0.8) }).meta({ examples: [{}] }),
  contains: z.looseObject({ value: text(longestValue), ignoreCase: z.boolean().optional() }).meta({ examples: [{ value: 'a' }] }),
  regex: z
    .looseObject({
      pattern: text(longestPattern).describe('RE2 syntax: no look-around, no back-references'),
      flags: z
        .string()
        .regex(/^(?:([imsu])(?!.*\1))*$/, 'must be some of the flags i, m, s and u, each once')
        .optional(),
    })
    .meta({ examples: [{ pattern: 'a' }] }),
  json_schema: z
    .looseObject({
      schema: z.record(z.string(), z.unknown()).describe('a JSON Schema, 2020-12 or, by its $schema, draft-07'),
    })
    .meta({ examples: [{ schema: {} }] }),
  latency: z.looseObject({ maxMs: z.number().min(0) }).meta({ examples: [{ maxMs: 10 }] }),
  cost: z.looseObject({ maxUsd: z.number().min(0) }).meta({ examples: [{ maxUsd: 1 }] }),
  llm_judge: z
    .looseObject({
      connectionId: z.uuid().describe('a model connection of the project'),
      model: text(256),
      instructions: text(longestInstructions),
      scale,
    })
    .meta({
      examples: [{ connectionId: '0197a000-0000-7000-8000-000000000001', model: 'm', instructions: 'Be fair.', scale: [1, 5] }],
    }),
} as const satisfies Record<string, z.ZodObject>;

export type EvaluatorTypeName = keyof typeof evaluatorConfigs;
export const evaluatorTypeNames = Object.keys(evaluatorConfigs) as EvaluatorTypeName[];

const typeMeta = z.object({
  title: z.string().optional(),
  description: z.string().optional(),
  examples: z.array(z.unknown()).default([{}]),
});

/**
 * The types for the OpenAPI document, from which the dashboard's form takes those that it has no fields for. A type without `title` or
 * `description` in its meta has its name and its fields.
 */
export const evaluatorTypeDocs = Object.entries(evaluatorConfigs).map(([type, config]) => {
  const { title = type, description = fieldsText(config.shape), examples } = typeMeta.parse(config.meta() ?? {});
  return { type, title, description, example: examples[0] };
});
export type EvaluatorTypeDoc = (typeof evaluatorTypeDocs)[number];

function fieldsText(shape: Readonly<Record<string, z.ZodType>>): string {
  return `Configuration: {${Object.entries(shape).map(fieldText).join(', ')}}`;
}

/** `exact {ignoreCase?}, fuzzy {threshold = 0.8}, ...`: the fields of `config` by type. */
export const evaluatorConfigFields = Object.entries(evaluatorConfigs)
  .map(([type, { shape }]) => `${type} {${Object.entries(shape).map(fieldText).join(', ')}}`)
  .join(', ');

function fieldText([name, field]: [string, z.ZodType]): string {
  const { success, data } = field.safeParse(undefined);
  if (!success) return name;
  return data === undefined ? `${name}?` : `${name} = ${JSON.stringify(data)}`;
}

/** The checked configuration of each type. */
export type EvaluatorConfigs = { [Name in EvaluatorTypeName]: z.output<(typeof evaluatorConfigs)[Name]> };

const names = z.array(text(256)).min(1).max(100).optional();

/** Which data an evaluator scores: each given field must have one of its values. */
export const evaluatorFilter = z.strictObject({
  kinds: z.array(z.enum(spanKinds)).min(1).max(spanKinds.length).optional(),
  models: names,
  agents: names,
  environments: names,
  tags: names,
  expression: filterExpression.optional(),
});
export type EvaluatorFilter = z.output<typeof evaluatorFilter>;
