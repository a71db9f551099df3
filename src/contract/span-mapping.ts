import { z } from 'zod';
import { traceParams } from './traces.ts';

/** Ways to name things on OTLP spans, in the order of preference (contract section 3). */
export const conventionNames = [
  'gen_ai',
  'openinference',
  'traceloop',
  'vercel-ai',
  'langfuse',
  'langsmith',
  'mlflow',
  'claude-code',
  'pydantic-ai',
  'otel',
] as const;
export type ConventionName = (typeof conventionNames)[number];

/** What fills a field of a span: a convention, or one of the ways below. */
export const fieldOrigins = [...conventionNames, 'native', 'inherited', 'derived', 'priced', 'unknown'] as const;
export type FieldOrigin = (typeof fieldOrigins)[number];

export const sourcePlaces = ['span', 'resource', 'event', 'field', 'ancestor'] as const;
export type SourcePlace = (typeof sourcePlaces)[number];

export const spanParams = traceParams.extend({ spanId: z.string() });

const fieldSource = z.object({
  in: z
    .enum(sourcePlaces)
    .describe(
      'where `key` is found: span and resource are attributes by name, event is a span event by name, field is a field of the sent span or event itself, ancestor is a span by id',
    ),
  key: z.string(),
});
export type FieldSource = z.output<typeof fieldSource>;

const mappedField = z.object({
  field: z.string().describe('as `GET .../traces/{traceId}` names it; a member of `usage` as usage.inputTokens'),
  convention: z
    .enum(fieldOrigins)
    .describe(
      'native: sent under this name; inherited: from a span above; derived: worked out from other fields; priced: from the price table; unknown: what is stored does not tell; the rest are conventions for attributes',
    ),
  attributes: z.array(fieldSource).describe('what the value was read from; several where they were put together'),
  value: z.unknown().describe('as stored'),
});

/** Which convention filled which field of a span. Fields that are empty are left out. */
export const spanMapping = z.object({
  spanId: z.string(),
  source: z.enum(['native', 'otlp']),
  fields: z.array(mappedField),
});
export type SpanMapping = z.output<typeof spanMapping>;
