import type { PolicyApplied, PolicyFile, PolicyPlan, PolicyValidation } from '../../../contract/policies.ts';
import type { ServiceClient } from '../service/service-client.ts';

/** The policies of one project of a running service. Errors of each: Refusal. */
export interface PolicyService {
  readonly url: string;
  readonly project: string;
  validate(files: readonly PolicyFile[]): Promise<PolicyValidation>;
  /** @param replayHours hours of recorded calls over which the planned guardrails run; none by default */
  plan(files: readonly PolicyFile[], replayHours?: number): Promise<PolicyPlan>;
  apply(planId: string, files: readonly PolicyFile[], allowRemoval: boolean): Promise<PolicyApplied>;
  /** @param revision the latest by default */
  pull(revision?: number): Promise<{ files: PolicyFile[]; revision: number }>;
}

export function policyServiceOf(client: ServiceClient, project: string): PolicyService {
  const base = `/v1/projects/${encodeURIComponent(project)}/policies`;
  return {
    url: client.url,
    project,
    validate: (files) => client.json('POST', `${base}/validate`, { files }),
    plan: (files, hours) => client.json('POST', `${base}/plan`, { files, ...(hours === undefined ? {} : { replay: { hours } }) }),
    apply: (planId, files, allowRemoval) => client.json('POST', `${base}/apply`, { planId, files, allowRemoval }),
    pull: (revision) => client.json('GET', `${base}/pull${revision === undefined ? '' : `?revision=${revision}`}`),
  };
}
