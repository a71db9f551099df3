import type { Acting } from '../../contract/actor.ts';
import { recordAudit } from '../audit/index.ts';
import { noTrace } from './get-trace.ts';
import type { TracesContext } from './traces-context.ts';

/**
 * Deletes a trace with its spans and scores (docs/semantics.md, "Deletion of a trace"). The audit entry is written with the record of the deletion, which is
 * completed from then on.
 *
 * Errors: `not_found` when nothing of the trace is stored.
 */
export async function deleteTrace(
  { pipeline, clock }: Pick<TracesContext, 'pipeline' | 'clock'>,
  acting: Acting,
  traceId: string,
): Promise<void> {
  const { projectId, organizationId } = acting;
  const found = await pipeline.deleteTrace({ projectId, organizationId }, traceId, async (transaction, { spans, startMs }) => {
    const startTime = startMs === null ? null : new Date(startMs).toISOString();
    const detail = { traceId, spans, startTime };
    await recordAudit(transaction, clock, { ...acting, kind: 'trace.deleted', subject: traceId, detail });
  });
  if (!found) throw noTrace();
}
