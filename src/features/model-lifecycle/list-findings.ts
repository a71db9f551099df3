import { sql } from 'kysely';
import type { FindingList } from '../../contract/model-lifecycle.ts';
import { compareCodePoints } from '../../platform/text/index.ts';
import { findingOf, selectFindings } from './finding-rows.ts';
import type { LifecycleContext } from './lifecycle-context.ts';

/** The findings of a project's last scan, the nearest retirement first, then by model. */
export async function listFindings(
  { db, clock }: Pick<LifecycleContext, 'db' | 'clock'>,
  projectId: string,
  state: 'open' | 'dismissed' | undefined,
): Promise<FindingList> {
  const rows = await selectFindings(db, projectId)
    .where('present', '=', true)
    .where(state === undefined ? sql<boolean>`true` : sql<boolean>`state = ${state}`)
    .execute();
  const scan = await db.selectFrom('lifecycle_scans').select('scanned_at').where('project_id', '=', projectId).executeTakeFirst();
  const nowMs = clock.now();
  return {
    findings: rows
      .map((row) => findingOf(row, nowMs))
      .sort(
        (left, right) =>
          left.daysRemaining - right.daysRemaining ||
          compareCodePoints(left.model, right.model) ||
          compareCodePoints(left.provider ?? '', right.provider ?? ''),
      ),
    scannedAt: scan?.scanned_at.toISOString() ?? null,
  };
}
