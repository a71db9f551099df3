import { alertBody } from '../../contract/alerts.ts';
import { systemActor } from '../../contract/actor.ts';
import type { IncidentStatus } from '../../contract/kinds.ts';
import { createRule, evaluateRuleAt } from '../../features/alerts/index.ts';
import type { AlertsFeature } from '../../features/alerts/index.ts';
import { changeStatus, listIncidents } from '../../features/incidents/index.ts';
import type { IncidentsFeature } from '../../features/incidents/index.ts';
import type { Tenant } from '../../platform/http/index.ts';
import { alertRules } from './alerts-scenario.ts';
import type { DemonstrationRule } from './alerts-scenario.ts';
import { dayMs } from '../../contract/durations.ts';

export interface AlertsTarget {
  alerts: Pick<AlertsFeature, 'context'>;
  incidents: Pick<IncidentsFeature, 'context'>;
}

interface Period {
  days: number;
  /** Epoch milliseconds. */
  endMs: number;
}

/** Evaluations of a period of 1. The shortest time that a rule is evaluated for has three. */
const stepsOfPeriod = 150;
const maxIncidents = 200;

/**
 * Creates alert rules and evaluates them as of times up to the end of the period, so that incidents open and resolve as the traces make them. Call
 * when the traces can be read.
 *
 * @returns the number of rules, and of incidents by status
 */
export async function seedAlerts(
  { alerts, incidents }: AlertsTarget,
  tenant: Tenant,
  period: Period,
): Promise<{ rules: number; incidents: Record<IncidentStatus, number> }> {
  const { projectId, organizationId } = tenant;
  const acting = { organizationId, projectId, actor: systemActor };
  for (const rule of alertRules) {
    const { id } = await createRule(alerts.context, { ...acting, administers: true }, alertBody.parse(rule.body));
    const times = timesOf(rule, period);
    for (const atMs of times) await evaluateRuleAt(alerts.context, tenant, id, { atMs, maxGapMs: stepMsOf(period) });
    if (rule.acknowledgement === undefined) continue;
    const { incidents: open } = await listIncidents(incidents.context.db, projectId, {
      ruleId: id,
      status: 'open',
      limit: maxIncidents,
    });
    const change = { status: 'acknowledged', note: rule.acknowledgement } as const;
    for (const incident of open) await changeStatus(incidents.context, acting, incident.id, change);
  }
  const { incidents: all } = await listIncidents(incidents.context.db, projectId, { limit: maxIncidents });
  const counts: Record<IncidentStatus, number> = { open: 0, acknowledged: 0, resolved: 0 };
  for (const { status } of all) counts[status] += 1;
  return { rules: alertRules.length, incidents: counts };
}

const stepMsOf = ({ days }: Period) => Math.floor((days * dayMs) / stepsOfPeriod);

/** The times at which a rule is evaluated, oldest first; the last is the end of the period. */
function timesOf({ left }: Pick<DemonstrationRule, 'left'>, period: Period): number[] {
  if (left === null) return [];
  const count = Math.round(left * stepsOfPeriod);
  return Array.from({ length: count + 1 }, (_, index) => period.endMs - (count - index) * stepMsOf(period));
}
