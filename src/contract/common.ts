import { z } from 'zod';

/** Default and largest page of a list (contract section 1). */
export const defaultLimit = 50;
export const largestLimit = 200;

/** ISO 8601 UTC with milliseconds, as every timestamp leaves the service (contract section 1). */
export const timestamp = z.string().describe('ISO 8601 UTC with milliseconds');

export const uuid = z.uuid();

/** `limit` and `cursor` of every list not fixed by the published interface. */
export const pageQuery = z.object({
  limit: z.coerce.number().int().min(1).max(largestLimit).default(defaultLimit),
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
