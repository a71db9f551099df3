import type { z } from 'zod';
import type { planBody, PolicyPlan } from '../../../contract/policies.ts';
import type { Tenant } from '../../../platform/http/index.ts';
import { readLatest } from '../../policy-revisions/index.ts';
import type { PoliciesContext } from '../policies-context.ts';
import { readValidFiles } from '../read-valid-files.ts';
import { currentPolicies } from './current-policies.ts';
import { planChanges, policiesAfter, summaryOf } from './plan-changes.ts';
import { refuseTooLarge } from './refuse-too-large.ts';
import { hashedFiles, storePlan } from './stored-plan.ts';

/**
 * Plans files: what applying them would change, and on request what the planned guardrails would have done to recorded spans. Nothing is changed.
 *
 * Errors: `invalid_policy` with `errors`; `invalid_request` and `payload_too_large` for paths and sizes, compiled ones too.
 */
export async function planFiles(
  context: PoliciesContext,
  tenant: Tenant,
  { files, replay: wanted }: z.output<typeof planBody>,
): Promise<PolicyPlan> {
  const { projectId } = tenant;
  const startedMs = context.clock.now();
  const planned = await readValidFiles(context, projectId, files);
  const latest = await readLatest(context.db, projectId);
  const { revision } = latest;
  const policies = currentPolicies(latest);
  const changes = planChanges(policies, planned);
  const guardrails = { before: policies, after: policiesAfter(policies, planned) };
  refuseTooLarge(guardrails.after);
  const replay = wanted && (await context.replays.replay(context, tenant, guardrails, { hours: wanted.hours, startedMs }));
  const stored = await storePlan(context.db, { projectId, revision, files: hashedFiles(files), nowMs: context.clock.now() });
  return { ...stored, revision, changes, summary: summaryOf(changes), ...(replay && { replay }) };
}
