import { dayMs } from '../../contract/durations.ts';
import type { Plan } from '../../contract/plans.ts';
import { retentionCutoff } from '../../contract/plans.ts';
import type { Clock } from '../../platform/clock/clock.ts';
import type { ClickHouse } from '../../platform/clickhouse/index.ts';
import { exact } from '../../platform/statistics/index.ts';

/** A model that a project called, by the provider that the calls name. */
export interface CalledModel {
  model: string;
  /** `''`: none. */
  provider: string;
  calls: number;
  /** USD. */
  cost: number;
  /** Calls whose cost is not known, and those that it is known of in part. */
  unpricedCalls: number;
  partlyPricedCalls: number;
  /** Agents that called it, sorted; at most {@link maxAgents}. */
  agents: string[];
  /** Start of the latest call, epoch milliseconds. */
  lastMs: number;
}

const maxAgents = 100;
const maxModels = 10_000;
/** Spans may start 24 hours ahead. */
const maxAheadMs = 2 * dayMs;

const calledModelsSql = `
SELECT model, provider, count() AS calls, sumKahan(cost) AS cost, sum(unpriced) AS unpricedCalls,
  sum(partly_priced) AS partlyPricedCalls, arraySort(groupUniqArrayIf(${maxAgents})(agent_name, agent_name != '')) AS agents,
  toUnixTimestamp64Milli(max(start_time)) AS lastMs
FROM calls FINAL
WHERE hour >= toStartOfHour(fromUnixTimestamp64Milli({sinceMs:Int64})) AND start_time >= fromUnixTimestamp64Milli({sinceMs:Int64})
  AND start_time < fromUnixTimestamp64Milli({beforeMs:Int64}) AND model != ''
GROUP BY model, provider
ORDER BY calls DESC, model, provider
LIMIT ${maxModels}`;

/**
 * The models that a project called since a time, at most {@link maxModels}, the most called first.
 *
 * @param sinceMs epoch milliseconds
 * @param beforeMs epoch milliseconds, exclusive; by default calls that start later than now count too
 */
export async function calledModels(
  { clickhouse, clock }: { clickhouse: ClickHouse; clock: Clock },
  { projectId, plan }: { projectId: string; plan: Plan },
  sinceMs: number,
  beforeMs = clock.now() + maxAheadMs,
): Promise<CalledModel[]> {
  const reader = clickhouse.forTenant({ projectId, oldestMs: retentionCutoff(plan, clock.now()) });
  const rows = await reader.query<CalledModel>(calledModelsSql, { sinceMs, beforeMs });
  return rows.map((row) => ({ ...row, cost: exact(row.cost) }));
}
