import { v7 as uuidv7 } from 'uuid';
import type { LifecycleBand } from '../../contract/model-lifecycle.ts';
import type { CalledModel } from '../models/index.ts';
import { findingOf, lockFindings, selectFindings, stateColumns, stateOf } from './finding-rows.ts';
import type { FindingRow } from './finding-rows.ts';
import { afterScan, bandOf, daysRemaining } from './finding-state.ts';
import type { LifecycleContext, ScannedProject } from './lifecycle-context.ts';
import { readCatalogue, readOverrides } from './stored-catalogue.ts';
import type { Database, Transaction } from '../../platform/postgres/index.ts';
import { dayMs } from '../../contract/durations.ts';

const windowMs = 30 * dayMs;
/** Maximum findings of a project; the most called models come first. */
const maxFindings = 1_000;

/** A called model that is retired within the farthest band. */
interface Near {
  called: CalledModel;
  retiresOn: string;
  band: LifecycleBand;
  replacement: string | null;
  source: string | null;
}

/**
 * Looks for called models that are retired soon, and raises findings (docs/semantics.md, "Model lifecycle"). May be repeated at any time.
 *
 * @returns the raised findings, and how many are open
 */
export async function scanProject(context: LifecycleContext, project: ScannedProject): Promise<{ raised: number; open: number }> {
  const { db, clock } = context;
  const { projectId } = project;
  const now = new Date(clock.now());
  const called = await context.calledModels(project, now.getTime() - windowMs);
  const near = await nearRetirements(db, projectId, called, now);
  const result = await db.transaction().execute(async (transaction) => {
    await lockFindings(transaction, projectId);
    const rows = new Map((await selectFindings(transaction, projectId).execute()).map((row) => [keyOf(row), row]));
    const raised: FindingRow[] = [];
    let open = 0;
    const values: FindingRow[] = [];
    for (const { called: model, retiresOn, band, replacement, source } of near) {
      const before = rows.get(keyOf(model));
      const next = afterScan(before ? stateOf(before) : null, band, now);
      if (next.state.state === 'open') open += 1;
      const value: FindingRow = {
        id: before?.id ?? uuidv7(),
        project_id: projectId,
        model: model.model,
        provider: model.provider,
        present: true,
        retires_on: retiresOn,
        replacement,
        source,
        ...stateColumns(next.state),
        calls: model.calls,
        cost: model.cost,
        unpriced_calls: model.unpricedCalls,
        partly_priced_calls: model.partlyPricedCalls,
        agents: model.agents,
        last_called_at: new Date(model.lastMs),
      };
      values.push(value);
      if (next.raised) raised.push(value);
    }
    await transaction.updateTable('lifecycle_findings').set({ present: false }).where('project_id', '=', projectId).execute();
    if (values.length > 0) await write(transaction, values);
    await transaction
      .insertInto('lifecycle_scans')
      .values({ project_id: projectId, scanned_at: now })
      .onConflict((conflict) => conflict.column('project_id').doUpdateSet({ scanned_at: now }))
      .execute();
    const records = raised.map((row) => findingOf(row, now.getTime()));
    await context.raised(transaction, projectId, records);
    return { raised: raised.length, open };
  });
  if (result.raised > 0) context.wake();
  return result;
}

async function nearRetirements(db: Database, projectId: string, called: readonly CalledModel[], now: Date): Promise<Near[]> {
  const catalogue = await readCatalogue(db);
  const overrides = await readOverrides(db, projectId);
  const near: Near[] = [];
  for (const model of called) {
    const entry = catalogue.lookUp(model.model, model.provider, overrides);
    if (!entry?.retiresOn || entry.certainty !== 'firm') continue;
    const { retiresOn, replacement, source } = entry;
    const band = bandOf(daysRemaining(retiresOn, now.getTime()));
    if (band !== null) near.push({ called: model, retiresOn, band, replacement, source });
    if (near.length === maxFindings) break;
  }
  return near;
}

function keyOf({ model, provider }: { model: string; provider: string }): string {
  return JSON.stringify([model, provider]);
}

const rowsAtOnce = 100;

async function write(transaction: Transaction, values: readonly FindingRow[]): Promise<void> {
  for (let at = 0; at < values.length; at += rowsAtOnce) {
    await transaction
      .insertInto('lifecycle_findings')
      .values(values.slice(at, at + rowsAtOnce))
      .onConflict((conflict) =>
        conflict.columns(['project_id', 'model', 'provider']).doUpdateSet((set) => ({
          present: true,
          retires_on: set.ref('excluded.retires_on'),
          replacement: set.ref('excluded.replacement'),
          source: set.ref('excluded.source'),
          state: set.ref('excluded.state'),
          raised_at: set.ref('excluded.raised_at'),
          raised_band: set.ref('excluded.raised_band'),
          dismissed_at: set.ref('excluded.dismissed_at'),
          dismissed_by: set.ref('excluded.dismissed_by'),
          dismissed_band: set.ref('excluded.dismissed_band'),
          calls: set.ref('excluded.calls'),
          cost: set.ref('excluded.cost'),
          unpriced_calls: set.ref('excluded.unpriced_calls'),
          partly_priced_calls: set.ref('excluded.partly_priced_calls'),
          agents: set.ref('excluded.agents'),
          last_called_at: set.ref('excluded.last_called_at'),
        })),
      )
      .execute();
  }
}

/** Scans the projects whose last scan is a day old or, by a clock that was ahead, still to come, or that were never scanned. */
export async function scanDue(
  context: LifecycleContext,
  projects: readonly ScannedProject[],
  onError: (projectId: string, error: unknown) => void,
  signal?: AbortSignal,
): Promise<void> {
  const scans = await context.db.selectFrom('lifecycle_scans').selectAll().execute();
  const scannedAt = new Map(scans.map(({ project_id, scanned_at }) => [project_id, scanned_at.getTime()]));
  for (const project of projects) {
    if (signal?.aborted) return;
    const sinceMs = context.clock.now() - (scannedAt.get(project.projectId) ?? 0);
    if (sinceMs >= 0 && sinceMs < dayMs) continue;
    try {
      await scanProject(context, project);
    } catch (error) {
      onError(project.projectId, error);
    }
  }
}
