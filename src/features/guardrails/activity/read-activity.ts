import type { GuardrailActivity, GuardrailActivityQuery } from '../../../contract/guardrails.ts';
import type { ClickHouse } from '../../../platform/clickhouse/index.ts';
import type { Clock } from '../../../platform/clock/clock.ts';
import type { Tenant } from '../../../platform/http/index.ts';
import { timesOf } from '../../figures/index.ts';
import type { PolicyCache } from '../policies/policy-cache.ts';
import { daysSql, groupsSql, guardrailsSql, latenciesSql } from './activity-sql.ts';

/** Dependencies of the activity. */
export interface ActivityContext {
  clickhouse: ClickHouse;
  clock: Clock;
  policies: Pick<PolicyCache, 'get'>;
}

interface DayRow {
  day: string;
  checks: number;
  flagged: number;
  redacted: number;
  blocked: number;
  failed: number;
}

interface GuardrailRow {
  guardrail: string;
  checks: number;
  flagged_sum: number;
  redacted_sum: number;
  blocked_sum: number;
  failed_sum: number;
}

/**
 * What the guardrails of a project did in a range (docs/semantics.md, "Guardrail activity").
 *
 * Errors: `invalid_request` for a range that cannot be read.
 */
export async function readActivity(
  { clickhouse, clock, policies }: ActivityContext,
  { projectId, plan }: Tenant,
  { by, guardrail = '', ...range }: GuardrailActivityQuery,
): Promise<GuardrailActivity> {
  const { times, oldestMs } = timesOf(range, plan, clock.now());
  const reader = clickhouse.forTenant({ projectId, oldestMs });
  const [{ guardrails: present }, days, guardrails, latencies, groups] = await Promise.all([
    policies.get(projectId),
    reader.query<DayRow>(daysSql, times),
    reader.query<GuardrailRow & { last_type: string }>(guardrailsSql, times),
    reader.query<{ guardrail: string; p95: number }>(latenciesSql, times),
    by === undefined ? [] : reader.query<GuardrailRow & { key: string }>(groupsSql(by), { ...times, guardrail }),
  ]);
  const allowing = new Set(present.flatMap(({ slug, onError }) => (onError === 'allow' ? [slug] : [])));
  const p95Of = new Map(latencies.map((row) => [row.guardrail, row.p95]));
  return {
    totals: totalsOf(days),
    byGuardrail: guardrails.map((row) => ({
      guardrail: row.guardrail,
      type: row.last_type,
      ...countsOf(row, allowing),
      p95LatencyMs: p95Of.get(row.guardrail) ?? null,
    })),
    timeline: days.map(({ day, checks, flagged, redacted, blocked }) => ({ day, checks, flagged, redacted, blocked })),
    ...(by === undefined
      ? {}
      : {
          groups: groups.map((row) => ({
            guardrail: row.guardrail,
            key: row.key === '' ? null : row.key,
            ...countsOf(row, allowing),
          })),
        }),
  };
}

/** @param allowing guardrails that let a text pass when they cannot run; of others a failure is a block */
function countsOf(row: GuardrailRow, allowing: ReadonlySet<string>) {
  const { checks, flagged_sum: flagged, redacted_sum: redacted, blocked_sum: blocked, failed_sum: failed } = row;
  const triggered = flagged + redacted + blocked;
  const failedBlocked = allowing.has(row.guardrail) ? 0 : Math.min(failed, blocked);
  return { checks, triggered, flagged, redacted, blocked, failed, failedBlocked, caught: triggered - failedBlocked };
}

function totalsOf(days: readonly DayRow[]): GuardrailActivity['totals'] {
  const sum = (count: (day: DayRow) => number) => days.reduce((total, day) => total + count(day), 0);
  const [checks, flagged, redacted, blocked] = [
    sum((day) => day.checks),
    sum((day) => day.flagged),
    sum((day) => day.redacted),
    sum((day) => day.blocked),
  ];
  return { checks, allowed: checks - flagged - redacted - blocked, flagged, redacted, blocked, failed: sum((day) => day.failed) };
}
