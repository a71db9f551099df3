import { z } from 'zod';
import { instant, oneLine, pageQuery, storable, timestamp, uuid } from './common.ts';
import { apiKeyScopes, unusedAfterDays } from './key-scopes.ts';
import { permissions, roles } from './permissions.ts';
import { planNames } from './plans.ts';

const label = oneLine(200);

const email = z.string().trim().max(254).pipe(z.email());
/** Whether a text can be the name of an organization or project. */
export const isName = (text: string): boolean => label.safeParse(text).success;
/** Whether a text can be the email of an account. */
export const isEmail = (text: string): boolean => email.safeParse(text).success;
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

/** Who may create organizations through the API (docs/semantics.md, "Administration"). */
export const organizationCreations = ['operators', 'owners', 'anyone'] as const;
export type OrganizationCreation = (typeof organizationCreations)[number];

const sharedLinks = z.boolean().describe('whether traces of its projects can be shared by links');

export const currentSession = z.object({
  user,
  mayCreateOrganizations: z.boolean().describe('whether POST /v1/organizations is allowed to this user'),
  organizations: z.array(
    z.object({
      id: uuid,
      slug: z.string(),
      name: z.string(),
      plan: z.enum(planNames),
      role,
      sharedLinks,
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
  sharedLinks,
  createdAt: timestamp,
});
export const organizationBody = z.strictObject({ name: label });
export const organizationChange = z
  .strictObject({
    name: label.optional(),
    sharedLinks: z
      .boolean()
      .optional()
      .describe('false: no trace can be shared by a link, and links that there are show nothing'),
  })
  .refine(({ name, sharedLinks: given }) => name !== undefined || given !== undefined, 'must have name or sharedLinks');
export type OrganizationChange = z.output<typeof organizationChange>;
export const organizationPage = z.object({ organizations: z.array(organization), nextCursor: z.string().nullable() });

export const project = z.object({ id: uuid, organizationId: uuid, name: z.string(), slug: z.string(), createdAt: timestamp });
export const projectBody = z.strictObject({ name: label });
export const projectPage = z.object({ projects: z.array(project), nextCursor: z.string().nullable() });

export const member = z.object({ userId: uuid, email: z.string(), name: z.string(), role, createdAt: timestamp });
export const listedMember = member.extend({
  tokens: z
    .object({ count: z.number().int().describe('valid personal tokens'), lastUsedAt: timestamp.nullable() })
    .nullable()
    .describe('null for accounts that belong to further organizations, and without members:manage'),
});
export const memberChange = z.strictObject({ role: role.optional(), name: label.optional() });
export const memberPage = z.object({ members: z.array(listedMember), nextCursor: z.string().nullable() });

/** A secret of a link, in a request. */
const linkToken = z.string().min(1).max(200).describe('last segment of the link');

export const invitationBody = z.strictObject({ email, role });
/** The body of `POST .../members`, which had a password in earlier releases. */
export const memberBody = z.strictObject(
  { email, role, name: label.optional().describe('proposed for a new account') },
  {
    error: (issue) =>
      issue.code === 'unrecognized_keys' && issue.keys.includes('password')
        ? 'must not have password: the person chooses it with the link of the invitation'
        : undefined,
  },
);
export const invitation = z.object({
  id: uuid,
  email: z.string(),
  role,
  createdAt: timestamp,
  expiresAt: timestamp,
  mail: z.enum(['none', 'waiting', 'sent', 'failed']).describe('none: the link is handed over by the inviter'),
});
export const invitationCreated = invitation.extend({
  url: z.string().nullable().describe('the link, this once; null: it is mailed'),
});
export const invitationPage = z.object({ invitations: z.array(invitation), nextCursor: z.string().nullable() });
export const linkBody = z.strictObject({ token: linkToken });
export const invitationSeen = z.object({
  organizationName: z.string(),
  email: z.string(),
  role,
  expiresAt: timestamp,
});
export const acceptanceBody = z.strictObject({
  token: linkToken,
  name: label.optional().describe('of a new account; default: what the inviter proposed, or the part of the email before the @'),
  password: newPassword
    .optional()
    .describe('of a new account, and of one whose password somebody else chose; ignored for other accounts'),
});
export const accepted = z.object({ user });

export const forgotBody = z.strictObject({ email: z.string().max(254) });
export const forgotten = z.object({
  mailed: z.boolean().describe('whether this installation sends mail; the same for every email'),
});
export const resetBody = z.strictObject({ token: linkToken, password: newPassword });

const scopes = z
  .array(z.enum(apiKeyScopes))
  .min(1, 'must have at least one scope')
  .max(apiKeyScopes.length)
  .refine((given) => new Set(given).size === given.length, 'must name each scope once');
const keyScopes = z.array(z.enum(apiKeyScopes)).nullable().describe('what the key may do; null: everything that keys may do');

export const apiKey = z.object({
  id: uuid,
  name: z.string(),
  prefix: z.string(),
  createdAt: timestamp,
  lastUsedAt: timestamp.nullable(),
  previousSecretExpiresAt: timestamp.nullable().describe('time until which the secret before the last rotation is valid'),
  scopes: keyScopes,
  expiresAt: timestamp.nullable().describe('null: does not expire'),
  scopesUsed: z
    .array(z.object({ scope: z.enum(apiKeyScopes), lastUsedAt: timestamp }))
    .describe('accurate to a minute; of a key whose scopes are null: those that its requests would have needed'),
  unusedScopes: z
    .array(z.enum(apiKeyScopes))
    .describe(`scopes that it never used; empty until it has had its scopes for ${unusedAfterDays} days`),
});
const keyGrant = {
  scopes: scopes.nullable().optional().describe('what the key may do; null or absent: everything that keys may do'),
  expiresAt: instant.nullable().optional().describe('in the future; null or absent: does not expire'),
};
export const apiKeyBody = z.strictObject({ name: label, ...keyGrant });
export const apiKeyChange = z
  .strictObject({
    name: label.optional(),
    scopes: keyGrant.scopes.describe('what the key may do; null: everything that keys may do'),
    expiresAt: keyGrant.expiresAt.describe('in the future; null: does not expire'),
  })
  .refine((change) => Object.values(change).some((value) => value !== undefined), 'must have name, scopes or expiresAt');
export type ApiKeyChange = z.output<typeof apiKeyChange>;
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
  expiresAt: timestamp.nullable().describe('null: does not expire'),
  lastUsedAt: timestamp.nullable(),
});
export const tokenBody = z.strictObject({ name: label, expiresAt: instant.optional().describe('in the future') });
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
  scopes: keyScopes,
});

export const orgParams = z.object({ orgId: z.string() });
export const projectParams = z.object({ id: z.string() });
export const listQuery = pageQuery;
export type ListQuery = z.output<typeof pageQuery>;
