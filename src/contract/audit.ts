import { z } from 'zod';
import { pageQuery, timestamp, uuid } from './common.ts';

/** What the audit log tells of (contract section 8). */
export const auditKinds = [
  'policy.applied',
  'policy.detached',
  'api_key.created',
  'api_key.rotated',
  'api_key.revoked',
  'member.added',
  'member.removed',
  'member.role_changed',
  'guardrail.created',
  'guardrail.updated',
  'guardrail.deleted',
  'environment.created',
  'environment.updated',
  'environment.deleted',
  'prompt.labels_moved',
  'evidence_pack.generated',
  'auth.login',
  'auth.login_failed',
  'retention.deleted',
] as const;
export type AuditKind = (typeof auditKinds)[number];

export const auditActorTypes = ['user', 'api_key', 'system'] as const;

const instant = z.iso.datetime({ offset: true, error: 'must be an ISO 8601 timestamp such as 2026-11-20T10:00:00.000Z' });
// PostgreSQL takes no NUL, and no kind or name has a control character.
const word = z
  .string()
  .min(1)
  .max(254)
  .regex(/^\P{Cc}*$/u, 'must not have control characters');

export const auditLogQuery = pageQuery.extend({
  kind: word.optional().describe('entries of this kind, such as api_key.created'),
  actor: word.optional().describe('who did it: the id, email or name of a user or API key, or user, api_key or system'),
  from: instant.optional().describe('the first moment that is listed'),
  to: instant.optional().describe('the last moment that is listed, to the millisecond'),
});
export type AuditLogQuery = z.output<typeof auditLogQuery>;

export const auditEntry = z.object({
  id: uuid,
  seq: z.number().int().describe('place in the organization: 1, 2, 3, ... without gaps'),
  at: timestamp,
  kind: z.string(),
  actor: z.object({
    type: z.enum(auditActorTypes),
    id: z.string().nullable().describe('null for the system'),
    name: z.string().nullable().describe("a user's email or an API key's name when it was done; null for the system"),
  }),
  projectId: uuid.nullable(),
  subject: z.string().nullable().describe('what it was done to: an id or a name'),
  detail: z.record(z.string(), z.unknown()),
  previousHash: z.string().describe('hash of the entry before; 64 zeros for the first'),
  hash: z.string().describe('SHA-256, hexadecimal, over all other fields'),
});
export type AuditEntry = z.output<typeof auditEntry>;

export const auditPage = z.object({ entries: z.array(auditEntry).describe('newest first'), nextCursor: z.string().nullable() });

export const auditVerification = z.object({
  valid: z.boolean().describe('every entry is there, in its place and unchanged'),
  entries: z.number().int().describe('how many there are'),
  brokenAt: z.number().int().nullable().describe('seq of the first entry that does not verify or is not there'),
});
export type AuditVerification = z.output<typeof auditVerification>;
