import { z } from 'zod';
import { instant, readRange, timestamp } from '../common.ts';
import { intervalNames } from './intervals.ts';
import { aggregations, metricSubjects } from './measures.ts';

/** Maximum measures and dimensions of a query. */
export const maxMeasures = 8;
export const maxDimensions = 3;
/** Maximum groups, and groups times buckets. */
const maxGroups = 1_000;
export const maxCells = 100_000;

/** The body of a query, as it is sent (docs/metrics.md). */
export const metricQuery = z.strictObject({
  on: z.enum(metricSubjects).describe('what is counted'),
  measures: z
    .array(z.strictObject({ measure: z.string(), aggregation: z.enum(aggregations).optional() }))
    .min(1)
    .max(maxMeasures)
    .describe('figures of each row'),
  by: z.array(z.string().max(400)).max(maxDimensions).default([]).describe('fields of the filter, hourOfDay or weekday'),
  filter: z.string().max(4_000).optional().describe('a filter in the language of docs/filter.md'),
  view: z.string().max(100).optional().describe('id of a saved view, whose filter must be met too'),
  range: z
    .string()
    .refine((text) => readRange(text) !== null, 'must be 1d to 365d, 1h to 720h or 1m to 43200m')
    .optional()
    .meta({ default: '30d' })
    .describe('whole UTC days, today included, or hours or minutes back from now; not together with from or to'),
  from: instant.optional().describe('inclusive'),
  to: instant.optional().describe('exclusive'),
  interval: z
    .enum(['auto', ...intervalNames])
    .optional()
    .describe('one row for each interval of time'),
  compareWith: z
    .union([z.literal('previous'), z.strictObject({ from: instant, to: instant })], {
      error: 'must be previous, or an object with from and to',
    })
    .optional()
    .describe('a second range, whose figures stand beside'),
  orderBy: z
    .strictObject({
      measure: z.union([z.number().int().min(0), z.string()]).describe('index in measures, or a dimension'),
      direction: z.enum(['asc', 'desc']).default('desc'),
    })
    .optional()
    .describe('which groups come first; the first measure by default'),
  limit: z.number().int().min(1).max(maxGroups).default(20).describe('number of groups'),
  bins: z.number().int().min(2).max(100).default(20).describe('bins of a histogram'),
});
export type MetricQuery = z.output<typeof metricQuery>;
/** A query as a client writes it. */
export type MetricQueryInput = z.input<typeof metricQuery>;

/** What the route takes: its fields are checked by the verb, whose error says where in the query it is wrong. */
export const metricQueryBody = z
  .looseObject({})
  .describe('a query (docs/metrics.md)')
  .meta({
    example: {
      on: 'calls',
      measures: [{ measure: 'cost' }, { measure: 'latency', aggregation: 'p95' }],
      by: ['model'],
      range: '7d',
    },
  });

export const metricQueryText = z.object({ q: z.string().max(20_000).describe('the query as JSON') });

const histogram = z.object({ bins: z.array(z.object({ from: z.number(), to: z.number(), count: z.number().int() })) });
const value = z.union([z.number(), histogram]).nullable();
export type MetricValue = z.output<typeof value>;

const figures = {
  values: z.array(value).describe('one for each measure'),
  n: z.number().int().describe('records'),
};
const bounds = {
  low: z.array(z.number().nullable()).optional().describe('lower ends of the 95 % intervals'),
  high: z.array(z.number().nullable()).optional().describe('upper ends of the 95 % intervals'),
};
const previous = { previous: z.array(value).optional().describe('values of the range that is compared with') };
const timed = {
  time: timestamp.optional().describe('start of the interval'),
  partial: z.literal(true).optional().describe('the interval is cut by the range, or not over yet'),
};

export const metricRow = z.looseObject({ ...timed, ...figures, ...bounds, ...previous });
export type MetricRow = z.output<typeof metricRow>;

export const metricAnswer = z.object({
  from: timestamp,
  to: timestamp.describe('exclusive'),
  interval: z.enum(intervalNames).nullable(),
  columns: z.array(
    z.object({
      name: z.string(),
      type: z.enum(['time', 'text', 'number']),
      unit: z.enum(['count', 'usd', 'ms', 'ratio', 'tokens', 'score']).nullable(),
    }),
  ),
  rows: z.array(metricRow).describe('with the value of each dimension under its name; null where a record has none'),
  totals: z.object({ ...figures, ...previous }).describe('over all records'),
  other: z
    .object({
      ...figures,
      groups: z.number().int().describe('groups that have no row'),
      rows: z
        .array(z.object({ ...timed, ...figures }))
        .optional()
        .describe('by interval'),
    })
    .nullable()
    .describe('records of the groups that have no row'),
  truncated: z.boolean().describe('there are more groups than limit'),
  source: z.enum(['rollups', 'rows', 'both']).describe('what was read'),
  ms: z.number().describe('milliseconds that the query took'),
});
export type MetricAnswer = z.output<typeof metricAnswer>;

const measureField = z.object({
  name: z.string(),
  aggregations: z.array(z.enum(aggregations)).describe('the first is the default; empty where there is no choice'),
  unit: z.enum(['count', 'usd', 'ms', 'ratio', 'tokens', 'score']).nullable(),
  description: z.string(),
});
const dimensionField = z.object({ name: z.string(), type: z.string(), description: z.string() });

export const metricFields = z.object({
  on: z.object(
    Object.fromEntries(
      metricSubjects.map((on) => [on, z.object({ measures: z.array(measureField), dimensions: z.array(dimensionField) })]),
    ) as Record<
      (typeof metricSubjects)[number],
      z.ZodObject<{ measures: z.ZodArray<typeof measureField>; dimensions: z.ZodArray<typeof dimensionField> }>
    >,
  ),
});
export type MetricFields = z.output<typeof metricFields>;
