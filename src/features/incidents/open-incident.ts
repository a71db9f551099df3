import { v7 as uuidv7 } from 'uuid';
import type { AlertType } from '../../contract/alerts.ts';
import type { ChangeRecord } from '../../contract/changes.ts';
import { addEvent, announce } from './announce.ts';
import type { IncidentsPorts } from './incidents-context.ts';
import type { Transaction } from '../../platform/postgres/index.ts';

/** Traces of an incident. */
export const maxSampleTraces = 20;

export interface NewIncident {
  projectId: string;
  ruleId: string;
  ruleName: string;
  type: AlertType;
  /** `''` for a rule without groups. */
  scope: string;
  environment: string | null;
  at: Date;
  value: number | null;
  threshold: number | null;
  summary: string;
  /** The worst first. */
  sampleTraceIds: readonly string[];
  /** Those of the 24 hours before. */
  changes: readonly ChangeRecord[];
}

/**
 * Opens an incident and announces it, in the caller's transaction.
 *
 * @returns its id
 *
 * Errors: a violation of the index `incidents_open` where the rule has an open one with this scope.
 */
export async function openIncident(
  ports: Pick<IncidentsPorts, 'notify' | 'projectPage'>,
  transaction: Transaction,
  opened: NewIncident,
): Promise<string> {
  const { at, value } = opened;
  const row = await transaction
    .insertInto('incidents')
    .values({
      id: uuidv7(),
      project_id: opened.projectId,
      rule_id: opened.ruleId,
      rule_name: opened.ruleName,
      type: opened.type,
      scope: opened.scope,
      environment: opened.environment,
      status: 'open',
      opened_at: at,
      acknowledged_at: null,
      acknowledged_by: null,
      resolved_at: null,
      resolved_by: null,
      resolution: null,
      value,
      peak_value: value,
      threshold: opened.threshold,
      summary: opened.summary,
      sample_trace_ids: opened.sampleTraceIds.slice(0, maxSampleTraces),
      changes: JSON.stringify(opened.changes),
      notified_at: at,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await addEvent(transaction, row.id, { at, kind: 'opened', by: 'system' });
  await announce(ports, transaction, 'incident.opened', row);
  return row.id;
}
