import type { Tenant } from '../../../platform/http/index.ts';
import { timesOf } from '../../figures/index.ts';
import { reportedDaysSql, reportedGuardrailsSql } from './activity-sql.ts';
import type { ActivityContext } from './read-activity.ts';

/** Checks that applications counted and reported with an API key, by day and by guardrail. */
export interface ReportedChecks {
  byDay: ReadonlyMap<string, number>;
  byGuardrail: ReadonlyMap<string, number>;
}

/** How many checks of a range applications reported, in contrast to those that the service made itself. */
export async function readReported(
  { clickhouse, clock }: Pick<ActivityContext, 'clickhouse' | 'clock'>,
  { projectId, plan }: Pick<Tenant, 'projectId' | 'plan'>,
  range: { from: string; to: string },
): Promise<ReportedChecks> {
  const { times, oldestMs } = timesOf(range, plan, clock.now());
  const reader = clickhouse.forTenant({ projectId, oldestMs });
  const [days, guardrails] = await Promise.all(
    [reportedDaysSql, reportedGuardrailsSql].map((sql) => reader.query<{ name: string; checks: number }>(sql, times)),
  );
  const counts = (found: typeof days = []) => new Map(found.map(({ name, checks }) => [name, checks]));
  return { byDay: counts(days), byGuardrail: counts(guardrails) };
}
