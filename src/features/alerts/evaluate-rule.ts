import type { Plan } from '../../contract/plans.ts';
import type { ScopeState } from './alert-state.ts';
import { typeRules } from './alert-types.ts';
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
import type { AlertsDb, RuleRow } from './tables.ts';

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
  const { row, plan, stored, condition, run, nowMs, sinceMs, open, before } = rule;
  const { db, incidents } = context;
  const evaluation = evaluateScopes(condition, before, figures, {
    nowMs,
    maxGapMs: run.maxGapMs,
    observed: sinceMs === null || nowMs - sinceMs >= condition.windowMs,
    ingestStopped: condition.noData === 'fire' && (await incidents.ingestStopped(db, row.project_id)),
  });
  const opening = await describeOpening(context, plan, row, condition, evaluation, nowMs);
  try {
    await db.transaction().execute(async (transaction) => {
      await writeRule(transaction, row, evaluation, { nowMs, sinceMs });
      const stillOpen = await incidents.unresolved(transaction, openIn(stored), { lock: true });
      if (stillOpen.size !== open.size) throw new Dropped();
      const scopes: EvaluatedScope[] = [];
      for (const scope of evaluation.scopes) {
        const acting = { row, condition, before, opening, at: new Date(nowMs) };
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
  transaction: AlertsDb,
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

/** What the incidents that an evaluation opens tell beside their figures. */
interface Opening {
  samples: ReadonlyMap<string, string[]>;
  changes: Awaited<ReturnType<AlertsContext['incidents']['changesBefore']>>;
}

async function describeOpening(
  context: AlertsContext,
  plan: Plan,
  { project_id: projectId }: RuleRow,
  condition: Condition,
  { scopes }: Evaluation,
  nowMs: number,
): Promise<Opening> {
  const opened = scopes.filter(({ action }) => action.do === 'open').map(({ scope }) => scope);
  if (opened.length === 0) return { samples: new Map(), changes: [] };
  const samples = await sampleTraces(readerOf(context, plan, projectId, nowMs), condition, nowMs, opened);
  return { samples, changes: await context.incidents.changesBefore(projectId, nowMs) };
}

interface Acting {
  row: RuleRow;
  condition: Condition;
  before: ReadonlyMap<string, ScopeState>;
  opening: Opening;
  at: Date;
}

/** Does what an evaluation decided for a scope. @returns its state */
async function act(
  { incidents }: AlertsContext,
  transaction: AlertsDb,
  { row, condition, before, opening, at }: Acting,
  { scope, state, action, value }: EvaluatedScope,
): Promise<ScopeState> {
  const incidentId = before.get(scope)?.incidentId ?? null;
  if (action.do === 'stay' && incidentId !== null) {
    const { worse } = typeRules[condition.type];
    await incidents.updateIncident(transaction, incidentId, { at, value, worse, renotifyMinutes: row.renotify_minutes });
  }
  if (action.do === 'resolve' && incidentId !== null) {
    await incidents.resolveIncident(transaction, incidentId, { at, by: 'system', resolution: action.resolution, value });
  }
  if (action.do !== 'open') return state;
  const opened = await incidents.openIncident(transaction, {
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
    sampleTraceIds: opening.samples.get(scope) ?? [],
    changes: opening.changes,
  });
  return { ...state, incidentId: opened };
}
