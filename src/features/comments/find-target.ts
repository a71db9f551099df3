import { ServiceError } from '../../contract/errors.ts';
import { retentionCutoff } from '../../contract/plans.ts';
import type { Tenant } from '../../platform/http/index.ts';
import type { CommentsContext } from './comments-context.ts';

/** A trace that is there. */
interface Target {
  /** Start of its newest record, epoch milliseconds. */
  newestMs: number;
}

/**
 * The trace that a comment is on.
 *
 * @param spanId `''` for the trace as a whole
 *
 * Errors: `not_found` for a trace, or a span, that the project does not have, or that is expired.
 */
export async function findTarget(
  { clickhouse, clock }: Pick<CommentsContext, 'clickhouse' | 'clock'>,
  { projectId, plan }: Pick<Tenant, 'projectId' | 'plan'>,
  traceId: string,
  spanId = '',
): Promise<Target> {
  const reader = clickhouse.forTenant({ projectId, oldestMs: retentionCutoff(plan, clock.now()) });
  const [found] = await reader.query<{ records: number; spans: number; newest: number }>(
    `SELECT toUInt32(count()) AS records, toUInt32(countIf(span_id = {span:String})) AS spans,
  toFloat64(toUnixTimestamp64Milli(max(start_time))) AS newest
FROM spans FINAL WHERE trace_id = {trace:String}`,
    { trace: traceId, span: spanId },
  );
  if (!found || found.records === 0)
    throw new ServiceError(
      'not_found',
      'There is no such trace in this project; check its id, or list the traces that there are.',
    );
  if (spanId !== '' && found.spans === 0)
    throw new ServiceError('not_found', 'The trace has no such span; check its id, or leave spanId out to comment on the trace.');
  return { newestMs: found.newest };
}

/** Which of some traces are there still, with the start of their newest record in epoch milliseconds. */
export async function remainingTraces(
  { clickhouse, clock }: Pick<CommentsContext, 'clickhouse' | 'clock'>,
  { projectId, plan }: Pick<Tenant, 'projectId' | 'plan'>,
  traceIds: readonly string[],
): Promise<Map<string, number>> {
  const reader = clickhouse.forTenant({ projectId, oldestMs: retentionCutoff(plan, clock.now()) });
  const rows = await reader.query<{ trace_id: string; newest: number }>(
    `SELECT trace_id, toFloat64(toUnixTimestamp64Milli(max(start_time))) AS newest
FROM spans FINAL WHERE trace_id IN {traces:Array(String)} GROUP BY trace_id`,
    { traces: [...traceIds] },
  );
  return new Map(rows.map(({ trace_id: traceId, newest }) => [traceId, newest]));
}
