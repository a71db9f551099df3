import { systemActor } from '../../contract/actor.ts';
import { createEnvironment } from '../../features/environments/index.ts';
import type { EnvironmentsFeature } from '../../features/environments/index.ts';
import { createGuardrail } from '../../features/guardrails/index.ts';
import type { GuardrailsFeature } from '../../features/guardrails/index.ts';
import type { IngestPipeline } from '../../features/trace-store/index.ts';
import type { Tenant } from '../../platform/http/index.ts';
import { environments, guardrails } from './governance-scenario.ts';
import { guardrailActivity } from './guardrail-activity.ts';
import type { ActivityOptions } from './guardrail-activity.ts';

export interface GovernanceTarget {
  environments: Pick<EnvironmentsFeature, 'context'>;
  guardrails: Pick<GuardrailsFeature, 'context'>;
  pipeline: Pick<IngestPipeline, 'accept'>;
}

/** Records of activity in one request to the log. */
const largestBatch = 500;

/** Creates environments and guardrails, and writes the activity of a month of checks. @returns the number of checks */
export async function seedGovernance(target: GovernanceTarget, tenant: Tenant, options: ActivityOptions): Promise<number> {
  const acting = { organizationId: tenant.organizationId, projectId: tenant.projectId, actor: systemActor };
  for (const body of environments) await createEnvironment(target.environments.context, tenant, acting, body);
  for (const { body } of guardrails) await createGuardrail(target.guardrails.context, acting, body);
  const records = [...guardrailActivity(options)];
  for (let at = 0; at < records.length; at += largestBatch) {
    const batch = { spans: [], scores: [], guardrailActivity: records.slice(at, at + largestBatch) };
    await target.pipeline.accept(tenant, batch, 0);
  }
  return records.reduce((total, { checks }) => total + checks, 0);
}
