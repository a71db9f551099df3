import { addEvent, announce } from './announce.ts';
import type { IncidentsPorts } from './incidents-context.ts';
import { maxSampleTraces } from './open-incident.ts';
import type { NewIncident } from './open-incident.ts';
import type { Transaction } from '../../platform/postgres/index.ts';

/** How long after it ended by itself an incident opens again instead of a new one, in milliseconds. */
const reopenMs = 15 * 60_000;

/**
 * Opens the incident of a rule and scope again that ended by itself at most 15 minutes ago (docs/semantics.md, "Incidents"), and announces it, in the
 * caller's transaction. It keeps its opening and its worst figure. One of another type, threshold or environment, from before the rule was changed, stays
 * ended: its figures mean something else.
 *
 * @param worse which of two figures is worse
 * @returns its id; null where there is none
 */
export async function reopenIncident(
  ports: Pick<IncidentsPorts, 'notify' | 'projectPage'>,
  transaction: Transaction,
  opened: NewIncident,
  worse: (left: number, right: number) => boolean,
): Promise<string | null> {
  const { at, value, ruleId, scope } = opened;
  const last = await transaction
    .selectFrom('incidents')
    .selectAll()
    .where('rule_id', '=', ruleId)
    .where('scope', '=', scope)
    .orderBy('opened_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  const endedByItself = last?.resolved_by === 'system' && (last.resolution === 'recovered' || last.resolution === 'no_data');
  if (!last?.resolved_at || !endedByItself) return null;
  const isAlike = last.type === opened.type && last.threshold === opened.threshold && last.environment === opened.environment;
  if (!isAlike) return null;
  const sinceMs = at.getTime() - last.resolved_at.getTime();
  if (sinceMs < 0 || sinceMs > reopenMs) return null;
  const peak = value !== null && (last.peak_value === null || worse(value, last.peak_value)) ? value : last.peak_value;
  const row = await transaction
    .updateTable('incidents')
    .set({
      status: 'open',
      acknowledged_at: null,
      acknowledged_by: null,
      resolved_at: null,
      resolved_by: null,
      resolution: null,
      value,
      peak_value: peak,
      summary: opened.summary,
      sample_trace_ids: [...new Set([...opened.sampleTraceIds, ...last.sample_trace_ids])].slice(0, maxSampleTraces),
      notified_at: at,
    })
    .where('id', '=', last.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  await addEvent(transaction, row.id, { at, kind: 'reopened', by: 'system' });
  await announce(ports, transaction, 'incident.reopened', row);
  return row.id;
}
