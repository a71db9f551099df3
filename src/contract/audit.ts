import { z } from 'zod';
import { instant, pageQuery, timestamp, uuid } from './common.ts';
import { apiKeyScopes } from './key-scopes.ts';
import { roles } from './permissions.ts';
import { planNames } from './plans.ts';
import { policyKinds, policySummary } from './policies.ts';
import { viewSubjects, viewVisibilities } from './views.ts';
import { userDataReceipt } from './user-data.ts';
import { priceDetail, repricingDetail, repricingResult } from './prices.ts';

const email = z.string();
const role = z.enum(roles);
const tokenDetail = z.object({ name: z.string(), prefix: z.string() });
const evaluatorDetail = z.object({ slug: z.string(), type: z.string(), target: z.string(), enabled: z.boolean() });
const connectionDetail = z.object({ name: z.string(), baseUrl: z.string(), model: z.string(), hasKey: z.boolean() });
const revision = z.number().int().describe('the policy revision that it made');
const environmentDetail = z.object({ name: z.string(), revision });
const guardrailDetail = z.object({ slug: z.string(), type: z.string(), action: z.string(), enabled: z.boolean(), revision });
const policyDetail = z.object({ kind: z.enum(policyKinds), name: z.string(), revision });
const changedFields = { changed: z.array(z.string()).describe('names of the fields whose values changed') };
/** Entries of earlier releases have neither scopes nor expiry. */
const keyDetail = tokenDetail.extend({
  scopes: z.array(z.enum(apiKeyScopes)).nullable().optional().describe('null: everything that keys may do'),
  expiresAt: timestamp.nullable().optional(),
});
const alertRuleDetail = z.object({ name: z.string(), type: z.string(), enabled: z.boolean() });
const incidentDetail = z.object({
  rule: z.string(),
  scope: z.string().nullable(),
  from: z.string(),
  note: z.string().nullable(),
});
const scenarioDetail = z.object({
  name: z.string(),
  type: z.enum(['http', 'prompt']),
  target: z.string().describe('origin of the URL, or name of the prompt'),
});
const datasetDetail = z.object({ datasetId: uuid, dataset: z.string().describe('name of the dataset') });
const viewDetail = z.object({ name: z.string(), on: z.enum(viewSubjects) });
const overrideDetail = z.object({
  model: z.string(),
  provider: z.string().nullable(),
  retiresOn: z.string(),
});
const movedLabel = z.object({
  label: z.string(),
  from: z.number().nullable(),
  to: z.number().nullable().describe('null: removed'),
});

const shareDetail = z.object({
  traceId: z.string(),
  payloads: z.boolean().describe('whether the link shows inputs, outputs and error messages'),
  redact: z.boolean(),
  expiresAt: timestamp,
});

const scoreDetail = z.object({
  evaluator: z.string(),
  traceId: z.string().nullable(),
  sessionId: z.string().nullable(),
  source: z.string(),
});

/** The kinds of audit entries, with the detail of each (docs/semantics.md, "Audit entries"). A detail never contains a secret. */
export const auditDetails = {
  'alert.created': alertRuleDetail,
  'alert.updated': alertRuleDetail.extend(changedFields),
  'alert.deleted': alertRuleDetail,
  'api_key.created': keyDetail,
  'api_key.rotated': tokenDetail.extend({ previousSecretExpiresAt: timestamp }),
  'api_key.revoked': tokenDetail,
  'api_key.updated': keyDetail.extend(changedFields),
  'auth.login': z.object({ address: z.string() }),
  'auth.login_failed': z.object({ address: z.string() }),
  'comment.deleted': z.object({
    traceId: z.string(),
    spanId: z.string().nullable(),
    authorId: uuid,
    author: z.string().describe('name of its author'),
    own: z.boolean().describe('whether its author deleted it'),
  }),
  'dataset.deleted': z.object({
    name: z.string(),
    items: z.number().int().describe('number of its items'),
    runs: z.number().int().describe('number of its runs'),
  }),
  'dataset.item_changed': datasetDetail.extend({
    changed: changedFields.changed.optional(),
    items: z.number().int().optional().describe('how many items were sent again with another content'),
  }),
  'dataset.item_deleted': datasetDetail,
  'dataset.run_deleted': datasetDetail.extend({ name: z.string().describe('of the run') }),
  'environment.created': environmentDetail,
  'environment.updated': environmentDetail.extend(changedFields),
  'environment.deleted': environmentDetail,
  'evaluator.created': evaluatorDetail,
  'evaluator.updated': evaluatorDetail.extend(changedFields),
  'evaluator.deleted': evaluatorDetail,
  'evidence_pack.generated': z.object({
    framework: z.string(),
    from: timestamp,
    to: timestamp,
    sha256: z.string().describe('of the pack'),
  }),
  'fix_proposal.started': z.object({
    name: z.string().describe('of the prompt'),
    incidentId: uuid,
    baseVersion: z.number().int(),
    connection: z.string().describe('name of the model connection'),
  }),
  'guardrail.created': guardrailDetail,
  'guardrail.updated': guardrailDetail.extend(changedFields),
  'guardrail.deleted': guardrailDetail,
  'incident.acknowledged': incidentDetail,
  'incident.resolved': incidentDetail,
  'invitation.accepted': z.object({ email, role }),
  'invitation.created': z.object({ email, role }),
  'invitation.deleted': z.object({ email, role }),
  'lifecycle.dismissed': z.object({
    model: z.string(),
    provider: z.string().nullable(),
    band: z.number().int(),
    retiresOn: z.string(),
  }),
  'lifecycle.override_removed': overrideDetail,
  'lifecycle.override_set': overrideDetail,
  'member.added': z.object({ email, role }),
  'member.removed': z.object({ email, role }),
  'member.revoked': z.object({
    email,
    sessions: z.number().int().describe('number of ended sessions'),
    tokens: z.number().int().describe('number of ended personal tokens'),
  }),
  'member.role_changed': z.object({ email, from: role, to: role }),
  'model_connection.created': connectionDetail,
  'model_connection.updated': connectionDetail.extend(changedFields),
  'model_connection.deleted': connectionDetail,
  'organization.plan_changed': z.object({ from: z.enum(planNames), to: z.enum(planNames) }),
  'organization.shared_links_changed': z.object({ from: z.boolean(), to: z.boolean() }),
  'policy.applied': z.object({
    planId: uuid,
    files: z.array(z.object({ path: z.string(), sha256: z.string() })).describe('SHA-256 of the content in UTF-8, hexadecimal'),
    summary: policySummary,
    revision: z.number().int(),
  }),
  'policy.attached': policyDetail,
  'policy.detached': policyDetail,
  'price.deleted': priceDetail,
  'price.set': priceDetail,
  'project.created': z.object({ name: z.string(), slug: z.string() }),
  'prompt.deleted': z.object({ name: z.string(), versions: z.number().int().describe('number of its versions') }),
  'prompt.labels_moved': z.object({ name: z.string(), labels: z.array(movedLabel) }),
  'repricing.ended': repricingDetail.extend(repricingResult.shape),
  'repricing.started': repricingDetail,
  'retention.deleted': z.object({ before: timestamp, tables: z.array(z.string()) }),
  'score.changed': scoreDetail.extend(changedFields),
  'score.deleted': scoreDetail,
  'selection.started': z.object({
    action: z.string().describe('what the job does, such as addTags or export'),
    on: z.enum(['spans', 'traces']),
    matched: z.number().int().describe('number of selected records'),
  }),
  'share.created': shareDetail,
  'share.deleted': shareDetail,
  'simulation.gate': z.object({
    name: z.string().describe('of the scenario'),
    baselineBatchRunId: uuid,
    passed: z.boolean(),
    verdict: z.string(),
    failed: z.array(z.string()).describe('names of the checks that did not pass'),
  }),
  'simulation_scenario.created': scenarioDetail,
  'simulation_scenario.updated': scenarioDetail.extend(changedFields),
  'simulation_scenario.deleted': scenarioDetail,
  'token.created': tokenDetail,
  'token.revoked': tokenDetail,
  'trace.deleted': z.object({
    traceId: z.string(),
    spans: z.number().int().describe('number of its spans'),
    startTime: timestamp.nullable().describe('of its earliest span; null for a trace without spans'),
  }),
  'traces.deleted': z.object({
    jobId: uuid,
    traces: z.number().int().describe('number of traces'),
    spans: z.number().int().describe('number of their spans'),
    traceIds: z.array(z.string()),
  }),
  'user.password_changed': z.object({ email }),
  'user.password_reset': z.object({ email }),
  'view.created': viewDetail,
  'view.changed': viewDetail.extend({ visibility: z.enum(viewVisibilities).describe('after the change') }).extend(changedFields),
  'view.deleted': viewDetail,
  'user_data.deleted': userDataReceipt.extend({ jobId: uuid }),
};
export type AuditDetails = { [Kind in keyof typeof auditDetails]: z.output<(typeof auditDetails)[Kind]> };
export type AuditKind = keyof AuditDetails;

const auditActorTypes = ['user', 'api_key', 'system'] as const;

// PostgreSQL takes no NUL, and no kind or name has a control character.
const word = z
  .string()
  .min(1)
  .max(254)
  .regex(/^\P{Cc}*$/u, 'must not have control characters');

export const auditLogQuery = pageQuery.extend({
  kind: word.optional().describe('entries of this kind, such as api_key.created'),
  actor: word.optional().describe('the id, email or name of a user or API key, or user, api_key or system'),
  from: instant.optional().describe('earliest time, inclusive'),
  to: instant.optional().describe('latest time, inclusive to the millisecond'),
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
  subject: z.string().nullable().describe('the changed object: an id or a name'),
  detail: z.record(z.string(), z.unknown()),
  previousHash: z.string().describe('hash of the previous entry; 64 zeros for the first'),
  hash: z.string().describe('SHA-256, hexadecimal, over all other fields'),
});
export type AuditEntry = z.output<typeof auditEntry>;

export const auditPage = z.object({ entries: z.array(auditEntry).describe('newest first'), nextCursor: z.string().nullable() });

export const auditVerification = z.object({
  valid: z.boolean().describe('every entry is present, in order and unchanged'),
  entries: z.number().int().describe('number of entries'),
  brokenAt: z.number().int().nullable().describe('seq of the first entry that does not verify or is missing'),
});
export type AuditVerification = z.output<typeof auditVerification>;
