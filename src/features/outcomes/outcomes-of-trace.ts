import type { Outcome } from '../../contract/outcomes.ts';
import type { TenantReader } from '../../platform/clickhouse/index.ts';

/** Maximum outcomes of one response. */
const maxOutcomesOfTrace = 1_000;

interface OutcomeRow {
  outcome_id: string;
  trace_id: string;
  kind: string;
  ms: number;
  value: number | null;
  currency: string;
  success: number | null;
  idempotency_key: string;
  metadata: string;
}

export const traceOutcomesSql = `SELECT outcome_id, trace_id, kind, toUnixTimestamp64Milli(start_time) AS ms, value, currency, success, idempotency_key, metadata
FROM outcomes FINAL
WHERE trace_id = {trace:String}
ORDER BY start_time, outcome_id
LIMIT ${maxOutcomesOfTrace + 1}`;

/** The outcomes of a trace in time order, at most {@link maxOutcomesOfTrace}. */
export async function outcomesOfTrace(
  reader: TenantReader,
  traceId: string,
): Promise<{ outcomes: Outcome[]; truncated: boolean }> {
  const rows = await reader.query<OutcomeRow>(traceOutcomesSql, { trace: traceId });
  return { outcomes: rows.slice(0, maxOutcomesOfTrace).map(toOutcome), truncated: rows.length > maxOutcomesOfTrace };
}

function toOutcome(row: OutcomeRow): Outcome {
  return {
    outcomeId: row.outcome_id,
    traceId: row.trace_id,
    kind: row.kind,
    value: row.value,
    currency: row.currency,
    success: row.success === null ? null : row.success === 1,
    occurredAt: new Date(row.ms).toISOString(),
    idempotencyKey: row.idempotency_key === '' ? null : row.idempotency_key,
    metadata: row.metadata === '' ? null : (JSON.parse(row.metadata) as unknown),
  };
}
