import { sql } from 'kysely';
import { uuidOrNull } from '../../../contract/common.ts';
import type { BatchRun, BatchRunsQuery } from '../../../contract/simulations.ts';
import { byCreation } from '../../../platform/keyset/index.ts';
import { storableText } from '../../../platform/text/index.ts';
import { isShown } from '../shown-runs.ts';
import type { SimulationsContext } from '../simulations-context.ts';
import { recordsOf } from './batch-run-record.ts';

const newestFirst = byCreation('desc');

/** The batch runs of a project, newest first. */
export async function listBatchRuns(
  context: Pick<SimulationsContext, 'db' | 'pagesOf'>,
  projectId: string,
  { scenarioId, status, label, datasetId, q, ...page }: BatchRunsQuery,
): Promise<{ batchRuns: BatchRun[]; nextCursor: string | null }> {
  let select = context.db.selectFrom('simulation_batch_runs').selectAll().where('project_id', '=', projectId).where(isShown);
  if (scenarioId !== undefined) select = select.where('scenario_id', '=', uuidOrNull(scenarioId));
  if (status !== undefined) select = select.where('status', '=', status);
  if (label !== undefined) select = select.where('label', '=', storableText(label));
  if (datasetId !== undefined) select = select.where('dataset_id', '=', uuidOrNull(datasetId));
  if (q !== undefined) {
    const found = (column: 'label' | 'scenario_name') =>
      sql<boolean>`position(lower(${storableText(q)}) IN lower(coalesce(${sql.ref(column)}, ''))) > 0`;
    select = select.where(({ or }) => or([found('label'), found('scenario_name')]));
  }
  const { rows, nextCursor } = await newestFirst.read(select, page);
  return { batchRuns: await recordsOf(context, rows), nextCursor };
}
