import type { Tenant } from '../../platform/http/index.ts';
import { noTrace } from './get-trace.ts';
import type { TracesContext } from './traces-context.ts';

/**
 * Makes a trace with its spans and scores leave every read and figure (contract section 4).
 *
 * Errors: `not_found` when there is nothing of it.
 */
export async function deleteTrace(
  { pipeline }: TracesContext,
  { projectId, organizationId }: Tenant,
  traceId: string,
): Promise<void> {
  if (!(await pipeline.deleteTrace({ projectId, organizationId }, traceId))) throw noTrace();
}
