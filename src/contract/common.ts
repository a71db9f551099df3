import { z } from 'zod';
import { largestLimit, mostLines } from './limits.ts';

/** Default and maximum page size of a list (docs/semantics.md, "Lists and cursors"). */
export const defaultLimit = 50;

/** ISO 8601 UTC with milliseconds, the format of every timestamp in responses (docs/semantics.md, "Units and names"). */
export const timestamp = z.string().describe('ISO 8601 UTC with milliseconds');

export const uuid = z.uuid();

/** An id of a path to look up; null, which no row has, for a text that is not a UUID, which PostgreSQL would refuse to compare. */
export function uuidOrNull(text: string): string | null {
  return uuid.safeParse(text).success ? text : null;
}

/** A text on one line, typed by people: trimmed, not empty, without control characters, which terminals and pages interpret. */
export function oneLine(maxCharacters: number) {
  return z
    .string()
    .trim()
    .min(1)
    .max(maxCharacters)
    .regex(/^[^\p{Cc}\p{Cs}]*$/u, 'must not have control characters or unpaired surrogates');
}

/** An object whose fields are checked elsewhere, by a type. */
export const anyObject = z.custom<Readonly<Record<string, unknown>>>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  'must be an object',
);

const decimal = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i;

/** A number in a query string, in decimal digits. Other inputs of `Number` (`0x10`, ` 1 `, `Infinity`, the empty text) are invalid. */
export function numberInQuery<T extends z.ZodType>(schema: T) {
  return z.preprocess((text) => (typeof text === 'string' && decimal.test(text) ? Number(text) : text), schema);
}

/** Arguments of `refine` for texts that PostgreSQL can store as they are. */
export const storable = [
  (text: string) => !text.includes('\0') && text.isWellFormed(),
  'must not hold NUL characters or unpaired surrogates',
] as const;

/** A filter that is stored with a record that it narrows. Its grammar is checked by the verb, which says where it is wrong. */
export const filterExpression = z
  .string()
  .refine(...storable)
  .describe('a filter in the language of docs/filter.md, such as `latency:>2s NOT user:test`; it narrows further');

/** The page size of a list. */
export const pageLimit = z.number().int().min(1).max(largestLimit);

/** `limit` and `cursor` of every list not fixed by the published interface. */
export const pageQuery = z.object({
  limit: numberInQuery(pageLimit.default(defaultLimit)),
  cursor: z.string().max(1024).optional(),
});

/** `limit` of a list that `accept: application/x-ndjson` streams as lines. Of a page it is checked by the verb, as {@link pageLimit}. */
export const lineLimit = numberInQuery(z.number().int().min(1).max(mostLines).optional()).describe(
  `1 to ${largestLimit}, by default ${defaultLimit}; with accept: application/x-ndjson up to ${mostLines}, which is the default then`,
);

/** Beside a sum of costs: the calls that are missing in it (docs/semantics/costs.md, "Cost of a span"). */
export const pricedCalls = {
  unpricedCalls: z.number().int().describe('calls whose cost is not known; they add 0 to the cost'),
  partlyPricedCalls: z.number().int().describe('calls with tokens of a class that has no rate, which add 0 to the cost'),
};

/** {@link pricedCalls} among fields in snake case. */
export const snakePricedCalls = { unpriced_calls: pricedCalls.unpricedCalls, partly_priced_calls: pricedCalls.partlyPricedCalls };

/** Maximum values of a repeated query parameter. */
const maxEnvironments = 100;

/** `environment` of every read of figures. An empty value stands for spans without one. */
export const environmentQuery = {
  environment: z
    .union([z.string().max(256), z.array(z.string().max(256)).max(maxEnvironments)], {
      error: `must be at most ${maxEnvironments} values, each of at most 256 characters`,
    })
    .refine((given) => [given].flat().every(storable[0]), storable[1])
    .transform((given) => [...new Set([given].flat())].toSorted())
    .optional()
    .describe('figures of spans of this environment alone; repeated: of any of these. Empty: of spans without one'),
};

export const errorDetail = z.object({
  path: z.string(),
  message: z.string(),
  start: z.number().int().optional().describe('of a filter: offset of what is wrong, in UTF-16 units'),
  end: z.number().int().optional().describe('of a filter: offset of its end, exclusive'),
  suggestion: z.string().optional().describe('of a filter: the nearest name'),
});

export const errorBody = z.object({
  error: z.string().describe('one sentence that says what to do'),
  code: z.string().optional().describe('machine-readable code'),
  details: z.array(errorDetail).optional(),
});

/** The refusal to delete what scenarios use. */
export const usedByScenarios = errorBody.extend({
  scenarios: z.array(z.string()).describe('names of the scenarios that use it'),
});

/** Ranges counted back from now: whole UTC days, today included (docs/semantics.md, "Ranges and days"). */
export const rangeNames = ['7d', '30d', '90d'] as const;
export type RangeName = (typeof rangeNames)[number];

const [firstInstantMs, lastInstantMs] = [Date.parse('0001-01-01T00:00:00.000Z'), Date.parse('9999-12-31T23:59:59.999Z')];

/** Whether a time, in epoch milliseconds, is of the years 1 to 9999 in UTC: PostgreSQL does not read others in ISO 8601. False for NaN. */
export const isStorableTime = (ms: number): boolean => ms >= firstInstantMs && ms <= lastInstantMs;

/** A time in a request. */
export const instant = z.iso
  .datetime({ offset: true, error: 'must be an ISO 8601 timestamp such as 2026-11-20T10:00:00.000Z' })
  .refine((text) => {
    const ms = Date.parse(text);
    // What is no timestamp has its error already.
    return Number.isNaN(ms) || isStorableTime(ms);
  }, 'must be in the years 1 to 9999 (UTC)');

/** The time range of a read (docs/semantics.md, "Ranges and days"). */
export const rangeQuery = {
  range: z
    .enum(rangeNames)
    .optional()
    .meta({ default: '30d' })
    .describe('whole UTC days, today included; not together with from or to'),
  from: instant.optional().describe('earliest start time; not together with range'),
  to: instant.optional().describe('latest start time, to the millisecond; not together with range'),
};

/** Reads that take a filter take any number of days, hours or minutes. */
export const anyRangeQuery = {
  ...rangeQuery,
  range: z
    .string()
    .refine((text) => readRange(text) !== null, 'must be 1d to 365d, 1h to 720h or 1m to 43200m')
    .optional()
    .meta({ default: '30d' })
    .describe('whole UTC days, today included (7d), or hours or minutes back from now (6h, 30m); not together with from or to'),
};

const rangeText = /^([1-9]\d{0,4})([dhm])$/;
const longest = { d: 365, h: 720, m: 43_200 } as const;

/** The number and the unit of a range; null for a text that is none. */
export function readRange(text: string): { count: number; unit: keyof typeof longest } | null {
  const [, digits, unit] = rangeText.exec(text) ?? [];
  const count = Number(digits);
  return unit !== undefined && count <= longest[unit as keyof typeof longest]
    ? { count, unit: unit as keyof typeof longest }
    : null;
}

export interface RangeQuery {
  /** A {@link RangeName}, or as {@link anyRangeQuery} takes it. */
  range?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

/**
 * `projectId` of a project-scoped route outside /v1/projects/{id} (docs/semantics.md, "Project of a request"): in the query of a GET, in the body or the query of
 * others. The access check reads it before this schema is applied; with an API key it is ignored.
 */
export const projectIdField = z
  .unknown()
  .optional()
  .meta({ type: 'string', format: 'uuid', description: 'needed with a session; ignored with an API key' });

/** The query of a route whose other fields are in the body: a session may send its project in either. */
export const projectIdQuery = z.object({ projectId: projectIdField });
