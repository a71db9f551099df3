import { systemActor } from '../../contract/actor.ts';
import { createGuardrail } from '../../features/guardrails/index.ts';
import type { GuardrailsFeature } from '../../features/guardrails/index.ts';
import { applyFiles, planFiles } from '../../features/policies/index.ts';
import type { PoliciesFeature } from '../../features/policies/index.ts';
import type { IngestPipeline } from '../../features/trace-store/index.ts';
import type { Tenant } from '../../platform/http/index.ts';
import { appliedFiles, guardrails } from './governance-scenario.ts';
import { guardrailActivity } from './guardrail-activity.ts';
import type { ActivityOptions } from './guardrail-activity.ts';

export interface GovernanceTarget {
  policies: Pick<PoliciesFeature, 'context'>;
  guardrails: Pick<GuardrailsFeature, 'context'>;
  pipeline: Pick<IngestPipeline, 'accept'>;
}

/** Records of activity in one request to the log. */
const largestBatch = 500;

/** Applies policy files, creates guardrails, and writes the activity of a month of checks. @returns the number of checks */
export async function seedGovernance(target: GovernanceTarget, tenant: Tenant, options: ActivityOptions): Promise<number> {
  const acting = { organizationId: tenant.organizationId, projectId: tenant.projectId, actor: systemActor };
  for (const files of appliedFiles) {
    const { planId } = await planFiles(target.policies.context, tenant, { files });
    await applyFiles(target.policies.context, acting, { planId, files, allowRemoval: false });
  }
  for (const { body, isCode } of guardrails) if (!isCode) await createGuardrail(target.guardrails.context, acting, body);
  const records = [...guardrailActivity(options)];
  for (let at = 0; at < records.length; at += largestBatch) {
    const batch = { spans: [], scores: [], guardrailActivity: records.slice(at, at + largestBatch) };
    await target.pipeline.accept(tenant, batch, 0);
  }
  return records.reduce((total, { checks }) => total + checks, 0);
}
