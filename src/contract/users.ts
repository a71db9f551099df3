import { z } from 'zod';
import { anyRangeQuery, pageQuery, pricedCalls, timestamp } from './common.ts';
import { filterQuery, tracesParams } from './traces.ts';

/** Orders of the list of users, all descending. */
export const userSorts = ['-cost', '-lastSeen', '-traces', '-errors'] as const;
export type UserSort = (typeof userSorts)[number];

export const listUsersQuery = pageQuery.extend({
  ...anyRangeQuery,
  ...filterQuery,
  q: z
    .string()
    .max(1000)
    .transform((text) => (text === '' ? undefined : text))
    .optional()
    .describe('a part of the user id; letters match in either case'),
  sort: z.enum(userSorts).default('-cost').describe('ties by user id'),
});
export type ListUsersQuery = z.output<typeof listUsersQuery>;

export const userParams = tracesParams.extend({ userId: z.string() });
export const userQuery = z.object(anyRangeQuery);
export type UserQuery = z.output<typeof userQuery>;

const count = z.number().int();

const activity = {
  traces: count,
  calls: count,
  errors: count.describe('spans that failed'),
  ...pricedCalls,
  costUsd: z.number(),
};

export const applicationUser = z.object({
  userId: z.string(),
  firstSeen: timestamp.describe('start of the first trace of the range'),
  lastSeen: timestamp.describe('start of the last trace of the range'),
  ...activity,
  sessions: count,
  inputTokens: count,
  outputTokens: count,
  avgScore: z.number().nullable().describe('over the scores of the traces and their spans; null without any'),
  evalCount: count.describe('scores in avgScore'),
  outcomes: count.describe('outcomes of the traces'),
  successRate: z.number().nullable().describe('successful ones among the outcomes that say whether they were; null without any'),
  costPerSuccess: z.number().nullable().describe('null without a successful outcome, and where a cost is not known whole'),
});
export type ApplicationUser = z.output<typeof applicationUser>;

export const applicationUserPage = z.object({ users: z.array(applicationUser), nextCursor: z.string().nullable() });

const called = { calls: count, ...pricedCalls, costUsd: z.number() };

export const applicationUserDetail = z.object({
  user: applicationUser,
  timeline: z
    .array(z.object({ day: z.string().describe('YYYY-MM-DD, UTC'), ...activity }))
    .describe('days with a trace, in time order'),
  byModel: z.array(z.object({ model: z.string(), ...called })).describe('by cost, descending'),
  byAgent: z.array(z.object({ agent: z.string(), ...called })).describe('by cost, descending'),
  guardrails: z
    .array(z.object({ slug: z.string(), triggered: count.describe('checks in which it triggered') }))
    .describe('by count, descending'),
});
export type ApplicationUserDetail = z.output<typeof applicationUserDetail>;
