import { z } from 'zod';
import { oneLine, pageQuery, storable, timestamp, uuid } from './common.ts';
import { permissions, roles } from './permissions.ts';
import { planNames } from './plans.ts';

const label = oneLine(200);

const email = z.string().trim().max(254).pipe(z.email());
const maxPasswordCharacters = 1024;
const newPassword = z
  .string()
  .min(8, 'must have at least 8 characters')
  .max(maxPasswordCharacters)
  .refine(...storable);
/** A password to check. Any text: earlier releases stored some that {@link newPassword} refuses. */
const givenPassword = z.string().max(maxPasswordCharacters);
const role = z.enum(roles);

export const loginBody = z.strictObject({ email: z.string().max(254), password: givenPassword });

export const passwordBody = z
  .strictObject({ currentPassword: givenPassword, newPassword })
  .refine((body) => body.newPassword !== body.currentPassword, {
    path: ['newPassword'],
    message: 'must differ from the current password',
  });

export const user = z.object({ id: uuid, email: z.string(), name: z.string() });

export const currentSession = z.object({
  user,
  organizations: z.array(
    z.object({
      id: uuid,
      slug: z.string(),
      name: z.string(),
      plan: z.enum(planNames),
      role,
      permissions: z.array(z.enum(permissions as [string, ...string[]])),
      projects: z.array(z.object({ id: uuid, name: z.string(), slug: z.string() })),
    }),
  ),
});

export const organization = z.object({
  id: uuid,
  slug: z.string(),
  name: z.string(),
  plan: z.enum(planNames),
  role,
  createdAt: timestamp,
});
export const organizationBody = z.strictObject({ name: label });
export const organizationPage = z.object({ organizations: z.array(organization), nextCursor: z.string().nullable() });

export const project = z.object({ id: uuid, organizationId: uuid, name: z.string(), slug: z.string(), createdAt: timestamp });
export const projectBody = z.strictObject({ name: label });
export const projectPage = z.object({ projects: z.array(project), nextCursor: z.string().nullable() });

export const member = z.object({ userId: uuid, email: z.string(), name: z.string(), role, createdAt: timestamp });
export const memberBody = z.strictObject({ email, name: label, role, password: newPassword.optional() });
export const memberChange = z.strictObject({ role: role.optional(), name: label.optional() });
export const memberCreated = member.extend({
  temporaryPassword: z.string().optional().describe('for a new user without a password of their own; shown once'),
});
export const memberPage = z.object({ members: z.array(member), nextCursor: z.string().nullable() });

export const apiKey = z.object({
  id: uuid,
  name: z.string(),
  prefix: z.string(),
  createdAt: timestamp,
  lastUsedAt: timestamp.nullable(),
  previousSecretExpiresAt: timestamp.nullable().describe('time until which the secret before the last rotation is valid'),
});
export const apiKeyBody = z.strictObject({ name: label });
export const apiKeyCreated = apiKey.extend({ key: z.string().describe('the secret, this once') });
export const apiKeyPage = z.object({ apiKeys: z.array(apiKey), nextCursor: z.string().nullable() });
export const rotateBody = z
  .strictObject({
    graceSeconds: z
      .number()
      .int()
      .min(0)
      .max(30 * 86_400)
      .optional(),
  })
  .optional()
  .describe('may be left out');
export const rotated = z.object({
  id: uuid,
  key: z.string().describe('the new secret, this once'),
  previousSecretExpiresAt: timestamp,
});

export const token = z.object({
  id: uuid,
  name: z.string(),
  prefix: z.string(),
  createdAt: timestamp,
  lastUsedAt: timestamp.nullable(),
});
export const tokenBody = z.strictObject({ name: label });
export const tokenCreated = token.extend({ token: z.string().describe('the secret, this once') });
export const tokenPage = z.object({ tokens: z.array(token), nextCursor: z.string().nullable() });

export const whoami = z.object({
  projectId: uuid,
  projectName: z.string(),
  organizationId: uuid,
  organizationSlug: z.string(),
  plan: z.enum(planNames),
  keyId: uuid,
  keyName: z.string(),
  keyPrefix: z.string(),
});

export const orgParams = z.object({ orgId: z.string() });
export const projectParams = z.object({ id: z.string() });
export const listQuery = pageQuery;
export type ListQuery = z.output<typeof pageQuery>;
