import type { Feature } from '../../platform/feature/index.ts';
import { complianceRoutes } from './routes.ts';

/** The compliance frameworks, a static listing. */
export function open(): Feature {
  return { routes: complianceRoutes };
}
