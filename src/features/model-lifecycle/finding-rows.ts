import { sql } from 'kysely';
import type { Selectable } from 'kysely';
import { uuidOrNull } from '../../contract/common.ts';
import { ServiceError } from '../../contract/errors.ts';
import type { Finding } from '../../contract/model-lifecycle.ts';
import { bandOf, daysRemaining } from './finding-state.ts';
import type { FindingState } from './finding-state.ts';
import type { LifecycleTables } from './tables.ts';
import type { Database, Transaction } from '../../platform/postgres/index.ts';

export type FindingRow = Selectable<LifecycleTables['lifecycle_findings']>;

export function selectFindings(db: Database, projectId: string) {
  return db.selectFrom('lifecycle_findings').selectAll().where('project_id', '=', projectId);
}

export function stateOf(row: FindingRow): FindingState {
  return {
    state: row.state,
    raisedAt: row.raised_at,
    raisedBand: row.raised_band,
    dismissedAt: row.dismissed_at,
    dismissedBy: row.dismissed_by,
    dismissedBand: row.dismissed_band,
  };
}

export function stateColumns(state: FindingState) {
  return {
    state: state.state,
    raised_at: state.raisedAt,
    raised_band: state.raisedBand,
    dismissed_at: state.dismissedAt,
    dismissed_by: state.dismissedBy,
    dismissed_band: state.dismissedBand,
  };
}

/** A finding as the API returns it, on the day of `nowMs`. */
export function findingOf(row: FindingRow, nowMs: number): Finding {
  const days = daysRemaining(row.retires_on, nowMs);
  return {
    id: row.id,
    model: row.model,
    provider: row.provider === '' ? null : row.provider,
    certainty: 'firm',
    retiresOn: row.retires_on,
    daysRemaining: days,
    band: bandOf(days) ?? 90,
    state: row.state,
    raisedAt: row.raised_at.toISOString(),
    dismissedAt: row.dismissed_at?.toISOString() ?? null,
    dismissedBy: row.dismissed_by,
    dismissedBand: row.dismissed_band,
    replacement: row.replacement,
    source: row.source,
    calls30d: row.calls,
    cost30d: row.cost,
    unpricedCalls: row.unpriced_calls,
    partlyPricedCalls: row.partly_priced_calls,
    agents: row.agents,
    lastCalledAt: row.last_called_at.toISOString(),
  };
}

/** Errors: `not_found`. */
export async function findFinding(db: Database, projectId: string, findingId: string): Promise<FindingRow> {
  const row = await selectFindings(db, projectId)
    .where('id', '=', uuidOrNull(findingId))
    .where('present', '=', true)
    .executeTakeFirst();
  if (!row) throw new ServiceError('not_found', 'There is no such finding in this project; list them to see which there are.');
  return row;
}

/** Scans and dismissals of one project follow one another. Call in a transaction. */
export async function lockFindings(transaction: Transaction, projectId: string): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`lifecycle ${projectId}`}, 0))`.execute(transaction);
}
