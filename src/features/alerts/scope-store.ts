import type { ScopeState } from './alert-state.ts';
import type { EvaluatedScope } from './evaluate-scopes.ts';
import type { Database, Transaction } from '../../platform/postgres/index.ts';

/** What one rule remembers, by scope. */
export type RememberedScopes = ReadonlyMap<string, ScopeState>;

/** What every rule remembers of its scopes, by the rule's id; rules that remember nothing are missing. */
export async function readScopes(db: Database): Promise<ReadonlyMap<string, RememberedScopes>> {
  const rows = await db.selectFrom('alert_scopes').selectAll().execute();
  const states = new Map<string, Map<string, ScopeState>>();
  for (const row of rows) {
    const own = states.get(row.rule_id) ?? new Map<string, ScopeState>();
    own.set(row.scope, {
      holds: row.holds,
      heldMs: row.held_ms,
      recovered: row.recovered,
      suppressed: row.suppressed,
      incidentId: row.incident_id,
      atMs: row.evaluated_at.getTime(),
    });
    states.set(row.rule_id, own);
  }
  return states;
}

/** Forgets the stored scopes that are not among those to be written. */
export async function deleteOtherScopes(
  transaction: Transaction,
  ruleId: string,
  stored: readonly string[],
  written: readonly EvaluatedScope[],
): Promise<void> {
  const kept = new Set(written.map(({ scope }) => scope));
  const gone = stored.filter((scope) => !kept.has(scope));
  if (gone.length === 0) return;
  await transaction.deleteFrom('alert_scopes').where('rule_id', '=', ruleId).where('scope', 'in', gone).execute();
}

export async function writeScopes(transaction: Transaction, ruleId: string, scopes: readonly EvaluatedScope[]): Promise<void> {
  if (scopes.length === 0) return;
  await transaction
    .insertInto('alert_scopes')
    .values(
      scopes.map(({ scope, state }) => ({
        rule_id: ruleId,
        scope,
        holds: state.holds,
        held_ms: state.heldMs,
        recovered: state.recovered,
        suppressed: state.suppressed,
        incident_id: state.incidentId,
        evaluated_at: new Date(state.atMs),
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['rule_id', 'scope']).doUpdateSet((set) => ({
        holds: set.ref('excluded.holds'),
        held_ms: set.ref('excluded.held_ms'),
        recovered: set.ref('excluded.recovered'),
        suppressed: set.ref('excluded.suppressed'),
        incident_id: set.ref('excluded.incident_id'),
        evaluated_at: set.ref('excluded.evaluated_at'),
      })),
    )
    .execute();
}
