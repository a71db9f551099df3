import type { Plan } from '../../contract/plans.ts';
import { afterPerson } from './alert-state.ts';
import type { ScopeState } from './alert-state.ts';
import type { AlertsContext } from './alerts-context.ts';
import type { UnresolvedIncident } from '../incidents/index.ts';
import type { Condition } from './condition.ts';
import { conditionOfRow } from './rule-record.ts';
import type { RememberedScopes } from './scope-store.ts';
import type { RuleRow } from './tables.ts';

/** What a run of the evaluation knows of its time. */
export interface Run {
  /** Since when rules have been evaluated without a gap, epoch milliseconds; null: since ever. */
  observedSinceMs: number | null;
  maxGapMs: number;
}

/** A rule as it was read at the start of a run. */
export interface EvaluatedRule {
  row: RuleRow;
  plan: Plan;
  /** What it remembers, read after `row`. */
  stored: RememberedScopes;
}

/** A rule with what its figures are read for. */
export interface PreparedRule extends EvaluatedRule {
  condition: Condition;
  run: Run;
  /** The time of its evaluation, epoch milliseconds. */
  nowMs: number;
  /** Since when it has been evaluated without a gap, epoch milliseconds; null: since ever. */
  sinceMs: number | null;
  /** The incidents that are not resolved. */
  open: ReadonlyMap<string, UnresolvedIncident>;
  /** Its scopes, without the incidents that a person resolved. */
  before: ReadonlyMap<string, ScopeState>;
}

/** Prepares an evaluation as of `nowMs`; null for a rule that is not evaluated. */
export async function prepareRule(
  { db, incidents }: AlertsContext,
  rule: EvaluatedRule,
  run: Run,
  nowMs: number,
): Promise<PreparedRule | null> {
  const { row, stored } = rule;
  const condition = conditionOfRow(row);
  if (!condition) return null;
  const open = await incidents.unresolved(db, openIn(stored));
  const sinceMs = observedSince(row, nowMs, run);
  return { ...rule, condition, run, nowMs, sinceMs, open, before: withoutResolved(stored, open) };
}

/** The start of the time for which this rule has been evaluated without a gap, epoch milliseconds; null: since ever. */
function observedSince(row: RuleRow, nowMs: number, { observedSinceMs, maxGapMs }: Run): number | null {
  const last = row.last_evaluated_at?.getTime();
  const own = last !== undefined && nowMs - last > maxGapMs ? nowMs : (row.observed_since?.getTime() ?? null);
  const known = [own, observedSinceMs].filter((ms) => ms !== null);
  // The clock may have gone back.
  return known.length === 0 ? null : Math.min(Math.max(...known), nowMs);
}

/** The incidents that a rule's scopes have open as far as it remembers. */
export const openIn = (states: ReadonlyMap<string, ScopeState>): string[] =>
  [...states.values()].flatMap(({ incidentId }) => (incidentId === null ? [] : [incidentId]));

function withoutResolved(stored: ReadonlyMap<string, ScopeState>, open: PreparedRule['open']): ReadonlyMap<string, ScopeState> {
  return new Map(
    [...stored].map(([scope, state]) => [
      scope,
      state.incidentId !== null && !open.has(state.incidentId) ? afterPerson(state) : state,
    ]),
  );
}
