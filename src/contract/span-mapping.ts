import { z } from 'zod';
import { traceParams, traceSpan } from './traces.ts';

/** How a field can be filled other than by a convention for attributes. */
export const fieldOrigins = ['native', 'inherited', 'derived', 'priced', 'unknown'] as const;

const sourcePlaces = ['span', 'resource', 'event', 'field', 'ancestor'] as const;

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
    .string()
    .describe(
      `${fieldOrigins.join(', ')}, or the name of a convention for attributes (gen_ai, openinference, otel, ...). native: sent under this name; inherited: from an ancestor; derived: from other fields; priced: from the price table; unknown: the stored attributes do not tell`,
    ),
  attributes: z.array(fieldSource).describe('the attributes from which the value was read'),
  value: z.unknown().describe('as stored'),
});

/** Which convention filled which field of a span. Empty fields are omitted. */
export const spanMapping = z.object({
  spanId: z.string(),
  source: z.enum(['native', 'otlp']),
  fields: z.array(mappedField),
});
export type SpanMapping = z.output<typeof spanMapping>;

/** What would be stored of an OTLP body, and why. */
export const mappingPreview = z.object({
  spans: z.array(
    z.object({
      span: traceSpan,
      mapping: spanMapping,
      unmapped: z.array(fieldSource).describe('attributes of the span and its resource that no field was read from'),
    }),
  ),
  rejectedSpans: z.number().int(),
  errorMessage: z.string().nullable().describe('why spans would be rejected'),
  truncated: z.boolean().describe('whether further spans would be stored'),
});
export type MappingPreview = z.output<typeof mappingPreview>;
