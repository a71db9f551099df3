import { z } from 'zod';

/** Default and largest page of a list (docs/semantics.md, "Lists and cursors"). */
export const defaultLimit = 50;
export const largestLimit = 200;

/** ISO 8601 UTC with milliseconds, as every timestamp leaves the service (docs/semantics.md, "Units and names"). */
export const timestamp = z.string().describe('ISO 8601 UTC with milliseconds');

export const uuid = z.uuid();

const decimal = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i;

/** A number in a query string, in decimal digits. Other inputs of `Number` (`0x10`, ` 1 `, `Infinity`, the empty text) are invalid. */
export function numberInQuery<T extends z.ZodType>(schema: T) {
  return z.preprocess((text) => (typeof text === 'string' && decimal.test(text) ? Number(text) : text), schema);
}

/** The page size of a list. */
export const pageLimit = z.number().int().min(1).max(largestLimit);

/** `limit` and `cursor` of every list not fixed by the published interface. */
export const pageQuery = z.object({
  limit: numberInQuery(pageLimit.default(defaultLimit)),
  cursor: z.string().max(1024).optional(),
});

export const errorBody = z.object({
  error: z.string().describe('one sentence that says what to do'),
  code: z.string().optional().describe('machine-readable code'),
  details: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
});

/** The ranges of the model routes: whole UTC days counted back, today included. */
export const rangeNames = ['7d', '30d', '90d'] as const;
export type RangeName = (typeof rangeNames)[number];
export const rangeDays: Record<RangeName, number> = { '7d': 7, '30d': 30, '90d': 90 };

/**
 * `projectId` of a project-scoped route outside /v1/projects/{id} (docs/semantics.md, "Project of a request"): in the query of a GET, in the body or the query of
 * others. The access check reads it before this schema is applied; with an API key it is ignored.
 */
export const projectIdField = z
  .unknown()
  .optional()
  .meta({ type: 'string', format: 'uuid', description: 'needed with a session; ignored with an API key' });

/** The query of a route whose other fields stand in its body: a session may name its project there. */
export const projectIdQuery = z.object({ projectId: projectIdField });
