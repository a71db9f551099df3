import type { Plan } from '../../contract/plans.ts';
import type { SelectionBody } from '../../contract/selections.ts';
import type { Tenant } from '../../platform/http/index.ts';
import type { RunningJob } from '../jobs/index.ts';

/** What every job of a selection that reads records knows. */
export interface SelectedRecords {
  on: SelectionBody['on'];
  /** The plan when the job was made: what it reads does not expire while it runs. */
  plan: Plan;
}

/** The tenant for which a job reads. */
export function tenantOfJob({ organizationId, projectId, input }: RunningJob<SelectedRecords, unknown>): Tenant {
  return { organizationId, projectId, plan: input.plan };
}
