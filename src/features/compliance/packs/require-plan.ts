import { ServiceError } from '../../../contract/errors.ts';
import type { Tenant } from '../../../platform/http/index.ts';

/** Errors: `plan_required` below the plan `pro`. */
export function requirePlan({ plan }: Pick<Tenant, 'plan'>): void {
  if (plan === 'free')
    throw new ServiceError(
      'plan_required',
      'Evidence packs need the plan pro or above; ask the operator of this installation to change the plan.',
    );
}
