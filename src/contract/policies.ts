import { z } from 'zod';
import { pageQuery, timestamp, uuid } from './common.ts';
import { environmentBody, managers } from './environments.ts';
import { guardrailBody } from './guardrails.ts';
import { policyLimits } from './limits.ts';

/** The kinds of policy documents, in the order in which changes are listed. */
export const policyKinds = ['Environment', 'Guardrail'] as const;
export type PolicyKind = (typeof policyKinds)[number];
export const policyApiVersion = 'spanwise/v1';

export const policyFile = z.strictObject({ path: z.string(), content: z.string() });
export type PolicyFile = z.output<typeof policyFile>;
const files = z.array(policyFile);

const { slug, name: displayName, ...fieldsOfGuardrail } = guardrailBody.shape;
const { name: environmentName, ...fieldsOfEnvironment } = environmentBody.shape;
function documentOf<Kind extends PolicyKind, Name extends z.ZodType, Spec extends z.ZodType>(kind: Kind, name: Name, spec: Spec) {
  return z.strictObject({
    apiVersion: z.literal(policyApiVersion),
    kind: z.literal(kind),
    metadata: z.strictObject({ name }),
    spec,
  });
}

/** A YAML document of each kind; `config` of a guardrail depends on its type. */
export const policyDocuments = {
  Environment: documentOf('Environment', environmentName, z.strictObject(fieldsOfEnvironment).prefault({})),
  Guardrail: documentOf('Guardrail', slug.describe('the slug'), z.strictObject({ displayName, ...fieldsOfGuardrail })),
} as const satisfies Record<PolicyKind, z.ZodType>;

export const policyFault = z.object({
  path: z.string(),
  line: z.number().int().describe('from 1'),
  column: z.number().int().describe('from 1, in UTF-16 units'),
  message: z.string(),
});
export type PolicyFault = z.output<typeof policyFault>;

export const validateBody = z.strictObject({ files });
export const validation = z.object({
  valid: z.boolean(),
  errors: z.array(policyFault).describe('at most 100, by path, line and column'),
});
export type PolicyValidation = z.output<typeof validation>;

export const planActions = ['create', 'update', 'remove', 'none'] as const;
export type PlanAction = (typeof planActions)[number];
const kind = z.enum(policyKinds);
const count = z.number().int();
export const policySummary = z.object({ create: count, update: count, remove: count, none: count });
export type PolicySummary = z.output<typeof policySummary>;

export const plannedChange = z.object({
  action: z.enum(planActions),
  kind,
  name: z.string(),
  path: z.string().nullable().describe('the file; null for a removal'),
  adopt: z.boolean().describe("the dashboard's own until now"),
  detached: z.boolean().describe('detached: applying will be refused'),
  fields: z.array(z.object({ path: z.string().describe('JSON pointer into spec'), before: z.unknown(), after: z.unknown() })),
});
export type PlannedChange = z.output<typeof plannedChange>;

const replayedGuardrail = z.object({
  guardrail: z.string(),
  triggeredBefore: count,
  triggeredAfter: count,
  blockedBefore: count,
  blockedAfter: count,
  users: count.describe('distinct users with a newly triggered span'),
  examples: z.array(
    z.object({ traceId: z.string(), spanId: z.string(), stage: z.enum(['input', 'output']), labels: z.array(z.string()) }),
  ),
});
export const replay = z.object({
  from: timestamp,
  to: timestamp,
  spans: count,
  truncated: z.boolean().optional().describe('true: the time was over, or the memory used up, before every span was read'),
  byGuardrail: z.array(replayedGuardrail),
  totals: z.object({ blockedBefore: count, blockedAfter: count }).describe('spans that any guardrail blocks'),
});
export type PolicyReplay = z.output<typeof replay>;

export const planBody = z.strictObject({
  files,
  replay: z.strictObject({ hours: z.number().int().min(1).max(policyLimits.replayHours) }).optional(),
});
export const policyPlan = z.object({
  planId: uuid,
  revision: count,
  expiresAt: timestamp,
  changes: z.array(plannedChange),
  summary: policySummary,
  replay: replay.optional(),
});
export type PolicyPlan = z.output<typeof policyPlan>;

export const applyBody = z.strictObject({ planId: z.string(), files, allowRemoval: z.boolean().default(false) });
export const applied = z.object({
  applied: z.array(z.object({ action: z.enum(planActions), kind, name: z.string() })),
  revision: count,
  auditLogId: uuid,
});
export type PolicyApplied = z.output<typeof applied>;

export const policy = z.object({
  id: uuid,
  kind,
  name: z.string(),
  path: z.string().nullable(),
  sha256: z.string().nullable().describe('of the file, hexadecimal'),
  managedBy: z.enum(managers),
  detached: z.boolean(),
  updatedAt: timestamp,
  updatedBy: z.string(),
});
export type PolicyRecord = z.output<typeof policy>;
export const policyList = z.object({ policies: z.array(policy), revision: count });

export const pullQuery = z.object({ revision: z.string().optional() });
export const pulled = z.object({ files: z.array(policyFile), revision: count });

export const revisionSources = ['code', 'dashboard'] as const;
export const policyRevision = z.object({
  revision: count,
  at: timestamp,
  by: z.string(),
  source: z.enum(revisionSources),
  summary: policySummary,
  auditLogId: uuid,
});
export type PolicyRevision = z.output<typeof policyRevision>;
export const policyRevisionPage = z.object({ revisions: z.array(policyRevision), nextCursor: z.string().nullable() });
export const listRevisionsQuery = pageQuery;

export const policiesParams = z.object({ id: z.string() });
export const policyParams = z.object({ id: z.string(), policyId: z.string() });
export const organizationPoliciesParams = z.object({ orgId: z.string() });
export const attachBody = z
  .strictObject({ force: z.boolean().default(false).describe('true: also where it differs from its file, which is drift then') })
  .optional()
  .describe('may be left out');
/** `detached` from its file, or other than its file says (`differs`): attached so, or the model connection of its judge has changed. */
export const driftReasons = ['detached', 'differs'] as const;
const maxNamed = 'of a project that has ever applied files';
export const organizationPolicies = z.object({
  projects: z.array(
    z.object({
      projectId: uuid,
      name: z.string(),
      slug: z.string(),
      revision: count,
      counts: z.object({ guardrails: count, environments: count }),
      drift: z.array(z.object({ kind, name: z.string(), reason: z.enum(driftReasons) })).describe(maxNamed),
      unmanaged: z.array(z.object({ kind, name: z.string() })).describe(`what files have never managed, ${maxNamed}`),
      lastApply: z.object({ at: timestamp, by: z.string(), revision: count }).nullable(),
    }),
  ),
  truncated: z
    .literal(true)
    .optional()
    .describe('the organization has more projects, or more drift, than one response can contain'),
});
