import type { Plan } from '../../contract/plans.ts';
import type { AlertsContext } from './alerts-context.ts';
import { evaluateRule } from './evaluate-rule.ts';
import type { EvaluationResult } from './evaluate-rule.ts';
import { figuresOf } from './figures/figures-of.ts';
import { prepareRule } from './prepare-rule.ts';
import { findRule } from './rule-record.ts';
import { readScopes } from './scope-store.ts';

/**
 * Evaluates one rule as of a time (docs/semantics.md, "Alert rules"), which may be in the past: `spanwise seed` replays a month with it. Call in
 * order of time.
 *
 * @param atMs epoch milliseconds
 * @param maxGapMs evaluations up to this far apart follow one another without a gap
 *
 * Errors: `not_found`; those of `evaluateRule`.
 */
export async function evaluateRuleAt(
  context: AlertsContext,
  { projectId, plan }: { projectId: string; plan: Plan },
  alertId: string,
  { atMs, maxGapMs }: { atMs: number; maxGapMs: number },
): Promise<EvaluationResult> {
  const row = await findRule(context.db, projectId, alertId);
  const stored = (await readScopes(context.db)).get(row.id) ?? new Map();
  const rule = await prepareRule(context, { row, plan, stored }, { observedSinceMs: null, maxGapMs }, atMs);
  if (!rule) return 'dropped';
  const [figures = []] = await figuresOf(context, [rule]);
  return evaluateRule(context, rule, figures);
}
