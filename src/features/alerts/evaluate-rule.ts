import { hourMs } from '../../contract/durations.ts';
import { isWorse } from '../../contract/alert-types/alert-type.ts';
import { alertTypes } from '../../contract/alert-types/index.ts';
import { maxSampleTraces } from '../incidents/index.ts';
import type { ScopeState } from './alert-state.ts';
import type { AlertsContext } from './alerts-context.ts';
import type { Condition } from './condition.ts';
import { evaluateScopes } from './evaluate-scopes.ts';
import type { EvaluatedScope, Evaluation, ScopeFigure } from './evaluate-scopes.ts';
import { readerOf } from './figures/figures-of.ts';
import { sampleTraces } from './figures/sample-traces.ts';
import { openIn } from './prepare-rule.ts';
import type { PreparedRule } from './prepare-rule.ts';
import { deleteOtherScopes, writeScopes } from './scope-store.ts';
import { summaryOf } from './summary.ts';
import type { RuleRow } from './tables.ts';
import type { Transaction } from '../../platform/postgres/index.ts';

/** After its opening an incident with few sample traces takes further ones for so long. */
const fillMs = hourMs;

/** `dropped`: the rule changed, another process evaluated it, or a person resolved an incident meanwhile. */
export type EvaluationResult = Evaluation['state'] | 'dropped';

/** The result of an evaluation is out of date; its transaction is rolled back. */
class Dropped extends Error {}

/**
 * Evaluates a rule (docs/semantics.md, "Alert rules"): in one transaction writes its state and opens, updates and resolves incidents.
 *
 * @param figures of its scopes, the worst first
 *
 * Errors: those of ClickHouse and PostgreSQL; nothing is written then.
 */
export async function evaluateRule(
  context: AlertsContext,
  rule: PreparedRule,
  figures: readonly ScopeFigure[],
): Promise<EvaluationResult> {
  const { row, stored, condition, run, nowMs, sinceMs, open, before } = rule;
  const { db, incidents } = context;
  const evaluation = evaluateScopes(condition, before, figures, {
    nowMs,
    maxGapMs: run.maxGapMs,
    observed: sinceMs === null || nowMs - sinceMs >= condition.windowMs,
    ingestStopped: condition.noData === 'fire' && (await incidents.ingestStopped(db, row.project_id)),
  });
  const described = await describe(context, rule, evaluation);
  try {
    await db.transaction().execute(async (transaction) => {
      await writeRule(transaction, row, evaluation, { nowMs, sinceMs });
      const stillOpen = await incidents.unresolved(transaction, openIn(stored), { lock: true });
      if (stillOpen.size !== open.size) throw new Dropped();
      const scopes: EvaluatedScope[] = [];
      for (const scope of evaluation.scopes) {
        const acting = { row, condition, before, described, at: new Date(nowMs) };
        scopes.push({ ...scope, state: await act(context, transaction, acting, scope) });
      }
      await deleteOtherScopes(transaction, row.id, [...stored.keys()], scopes);
      await writeScopes(transaction, row.id, scopes);
    });
  } catch (error) {
    if (error instanceof Dropped) return 'dropped';
    throw error;
  }
  return evaluation.state;
}

/** Writes the state of a rule, and locks its row. Throws {@link Dropped} where the rule is not the one that was read. */
async function writeRule(
  transaction: Transaction,
  { id, version }: RuleRow,
  { state, value }: Evaluation,
  { nowMs, sinceMs }: Pick<PreparedRule, 'nowMs' | 'sinceMs'>,
): Promise<void> {
  const written = await transaction
    .updateTable('alert_rules')
    .set({
      version: version + 1,
      state,
      last_value: value,
      last_evaluated_at: new Date(nowMs),
      last_error: null,
      observed_since: sinceMs === null ? null : new Date(sinceMs),
    })
    .where('id', '=', id)
    .where('version', '=', version)
    .where('enabled', '=', true)
    .returning('id')
    .executeTakeFirst();
  if (!written) throw new Dropped();
}

/** Sample traces and changes of the incidents of an evaluation. */
interface Described {
  /** Traces by scope, of incidents that it opens and of those that want further ones. */
  samples: ReadonlyMap<string, string[]>;
  /** Of incidents that it opens. */
  changes: Awaited<ReturnType<AlertsContext['incidents']['changesBefore']>>;
}

async function describe(context: AlertsContext, rule: PreparedRule, { scopes }: Evaluation): Promise<Described> {
  const { plan, row, condition, nowMs } = rule;
  const opens = scopes.some(({ action }) => action.do === 'open');
  const sampled = scopes.filter((scope) => scope.action.do === 'open' || wantsSamples(rule, scope)).map(({ scope }) => scope);
  const reader = readerOf(context, plan, row.project_id, nowMs);
  return {
    samples: sampled.length === 0 ? new Map() : await sampleTraces(reader, condition, nowMs, sampled),
    changes: opens ? await context.incidents.changesBefore(row.project_id, nowMs) : [],
  };
}

/** Whether an open incident takes traces of this window: its figure is worse than ever before, or it opened lately and has few. */
function wantsSamples(
  { condition, open, before, nowMs }: PreparedRule,
  { scope, state, action, value }: EvaluatedScope,
): boolean {
  const incident = open.get(before.get(scope)?.incidentId ?? '');
  if (!incident || action.do !== 'stay' || !state.holds || value === null) return false;
  const { openedAt, peakValue, samples } = incident;
  if (peakValue === null || isWorse(alertTypes[condition.type], value, peakValue)) return true;
  return samples < maxSampleTraces && nowMs - openedAt.getTime() < fillMs;
}

interface Acting {
  row: RuleRow;
  condition: Condition;
  before: ReadonlyMap<string, ScopeState>;
  described: Described;
  at: Date;
}

/** Does what an evaluation decided for a scope. @returns its state */
async function act(
  { incidents }: AlertsContext,
  transaction: Transaction,
  { row, condition, before, described, at }: Acting,
  { scope, state, action, value }: EvaluatedScope,
): Promise<ScopeState> {
  const incidentId = before.get(scope)?.incidentId ?? null;
  const worse = (left: number, right: number) => isWorse(alertTypes[condition.type], left, right);
  if (action.do === 'stay' && incidentId !== null) {
    const sampleTraceIds = described.samples.get(scope) ?? [];
    const renotifyMinutes = row.renotify_minutes;
    await incidents.updateIncident(transaction, incidentId, { at, value, worse, renotifyMinutes, sampleTraceIds });
  }
  if (action.do === 'resolve' && incidentId !== null) {
    await incidents.resolveIncident(transaction, incidentId, { at, by: 'system', resolution: action.resolution, value });
  }
  if (action.do !== 'open') return state;
  const incident = {
    projectId: row.project_id,
    ruleId: row.id,
    ruleName: row.name,
    type: row.type,
    scope,
    environment: row.environment ?? (condition.groupBy === 'environment' ? scope : null),
    at,
    value,
    threshold: row.threshold,
    summary: summaryOf(condition, scope, value),
    sampleTraceIds: described.samples.get(scope) ?? [],
    changes: described.changes,
  };
  const opened = await incidents.openIncident(transaction, incident, worse);
  return { ...state, incidentId: opened };
}
