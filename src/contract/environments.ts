import { z } from 'zod';
import { errorBody, pageQuery, storable, timestamp, uuid } from './common.ts';

/** Who may write a record: users in the dashboard, or the files of policy-as-code only. */
export const managers = ['dashboard', 'code'] as const;
export type Manager = (typeof managers)[number];

/** Environments of a project: every policy revision lists them all. */
export const maxEnvironments = 1_000;

export const environmentName = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/,
    'must be 1 to 64 letters, digits, dots, underscores and hyphens, and start with a letter or digit',
  );
export const environmentDescription = z
  .string()
  .max(2_000)
  .refine(...storable);

export const environmentBody = z.strictObject({ name: environmentName, description: environmentDescription.default('') });
export type EnvironmentBody = z.output<typeof environmentBody>;

export const environmentChange = z.strictObject({ description: environmentDescription.optional() });
export type EnvironmentChange = z.output<typeof environmentChange>;

export const environmentAttachments = z.object({
  guardrails: z.array(z.string()).describe('slugs'),
  alerts: z.array(z.string()).describe('names of alert rules'),
  incidents: z.array(uuid).describe('incidents that are not resolved'),
});
export type EnvironmentAttachments = z.output<typeof environmentAttachments>;

export const environment = z.object({
  id: uuid,
  projectId: uuid,
  name: z.string(),
  description: z.string(),
  managedBy: z.enum(managers),
  attached: environmentAttachments.describe('what names this environment; each list sorted'),
  lastSeenAt: timestamp.nullable().describe('the newest span that carries the name'),
  createdAt: timestamp,
  updatedAt: timestamp,
});
export type EnvironmentRecord = z.output<typeof environment>;

/** The body of `environment_in_use`. */
export const environmentInUse = errorBody.extend({
  attached: environmentAttachments.optional().describe('what names the environment'),
});

export const environmentPage = z.object({
  environments: z.array(environment),
  nextCursor: z.string().nullable(),
  unregistered: z
    .array(z.object({ name: z.string(), lastSeenAt: timestamp }))
    .describe('names on spans and guardrail checks of the last 30 days that have no record; at most 50'),
});
export type EnvironmentPage = z.output<typeof environmentPage>;

export const environmentsParams = z.object({ id: z.string() });
export const environmentParams = z.object({ id: z.string(), environmentId: z.string() });
export const listEnvironmentsQuery = pageQuery;
export type ListEnvironmentsQuery = z.output<typeof pageQuery>;
