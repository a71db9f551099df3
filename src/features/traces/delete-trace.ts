import type { Tenant } from '../../platform/http/index.ts';
import { noTrace } from './get-trace.ts';
import type { TracesContext } from './traces-context.ts';

/**
 * Deletes a trace with its spans and scores (docs/semantics.md, "Deletion of a trace").
 *
 * Errors: `not_found` when nothing of the trace is stored.
 */
export async function deleteTrace(
  { pipeline }: TracesContext,
  { projectId, organizationId }: Tenant,
  traceId: string,
): Promise<void> {
  if (!(await pipeline.deleteTrace({ projectId, organizationId }, traceId))) throw noTrace();
}
