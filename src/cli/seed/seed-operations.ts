import { systemActor } from '../../contract/actor.ts';
import { recordChange } from '../../features/changes/index.ts';
import type { ChangesFeature } from '../../features/changes/index.ts';
import { dismissFinding, listFindings, scanProject, setOverride } from '../../features/model-lifecycle/index.ts';
import type { LifecycleFeature } from '../../features/model-lifecycle/index.ts';
import type { Tenant } from '../../platform/http/index.ts';
import { dismissedModel, reportedChanges, retirements } from './operations-scenario.ts';
import { dayMs } from '../../contract/durations.ts';

export interface OperationsTarget {
  changes: Pick<ChangesFeature, 'context'>;
  modelLifecycle: Pick<LifecycleFeature, 'context'>;
}

/**
 * Reports changes, sets retirement dates of called models, scans and dismisses a finding. Call when the traces can be read.
 *
 * @returns how many changes and open findings there are
 */
export async function seedOperations(
  { changes, modelLifecycle }: OperationsTarget,
  tenant: Tenant,
  period: { days: number; endMs: number },
): Promise<{ changes: number; openFindings: number }> {
  const { projectId, organizationId } = tenant;
  const acting = { organizationId, projectId, actor: systemActor };
  const bodies = reportedChanges(period);
  for (const body of bodies) await recordChange(changes.context, projectId, body);
  const { context } = modelLifecycle;
  for (const { model, days, ...fields } of retirements) {
    const retiresOn = new Date(period.endMs + days * dayMs).toISOString().slice(0, 10);
    await setOverride(context, acting, model, { retiresOn, source: 'Made up for the demonstration', ...fields });
  }
  await scanProject(context, tenant);
  const { findings } = await listFindings(context, projectId, 'open');
  for (const { id, model } of findings) if (model === dismissedModel) await dismissFinding(context, acting, id);
  return { changes: bodies.length, openFindings: findings.filter(({ model }) => model !== dismissedModel).length };
}
