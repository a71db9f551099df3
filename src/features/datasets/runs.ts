import { v7 as uuidv7 } from 'uuid';
import { uuidOrNull } from '../../contract/common.ts';
import type { RunAggregates, RunBody } from '../../contract/datasets.ts';
import { ServiceError } from '../../contract/errors.ts';
import type { Tenant } from '../../platform/http/index.ts';
import { byCreation } from '../../platform/keyset/index.ts';
import { noDataset } from './datasets.ts';
import { nowOf } from './datasets-context.ts';
import type { DatasetsContext } from './datasets-context.ts';
import { aggregatesOf } from './run-aggregates.ts';
import { metadataText } from './stored-json.ts';
import type { DatasetsTables } from './tables.ts';

const newestFirst = byCreation('desc');

export interface RunRecord {
  id: string;
  datasetId: string;
  name: string;
  metadata: unknown;
  createdAt: string;
  updatedAt: string;
}

const columns = ['id', 'dataset_id', 'name', 'metadata', 'created_at', 'updated_at'] as const;

/** Creates a run without items. Names may repeat, so that an experiment can run again under the same name. */
export async function createRun(
  context: DatasetsContext,
  tenant: Tenant,
  datasetId: string,
  input: RunBody,
): Promise<RunRecord & { aggregates: RunAggregates }> {
  const now = nowOf(context);
  const row = {
    id: uuidv7(),
    dataset_id: datasetId,
    name: input.name,
    metadata: metadataText(input.metadata),
    created_at: now,
    updated_at: now,
  };
  await context.db.transaction().execute(async (transaction) => {
    const found = await transaction.selectFrom('datasets').select('id').where('id', '=', datasetId).forKeyShare().execute();
    if (found.length === 0) throw noDataset();
    await transaction.insertInto('dataset_runs').values(row).execute();
  });
  return withAggregates(context, tenant, toRun(row));
}

/** The runs of a dataset, newest first, each with its aggregates (docs/semantics.md, "Run aggregates"). */
export async function listRuns(
  context: DatasetsContext,
  tenant: Tenant,
  datasetId: string,
  query: { limit: number; cursor?: string | undefined },
): Promise<{ runs: Array<RunRecord & { aggregates: RunAggregates }>; nextCursor: string | null }> {
  const select = context.db.selectFrom('dataset_runs').select(columns).where('dataset_id', '=', datasetId);
  const { rows, nextCursor } = await newestFirst.read(select, query);
  const runs = [];
  // Sequentially, because a run may have 100,000 items.
  for (const row of rows) runs.push(await withAggregates(context, tenant, toRun(row)));
  return { runs, nextCursor };
}

/** One run. Errors: `not_found`, also for a run of another dataset. */
export async function getRun({ db }: Pick<DatasetsContext, 'db'>, datasetId: string, runId: string): Promise<RunRecord> {
  const row = await db
    .selectFrom('dataset_runs')
    .select(columns)
    .where('id', '=', uuidOrNull(runId))
    .where('dataset_id', '=', datasetId)
    .executeTakeFirst();
  if (!row) throw noRun();
  return toRun(row);
}

export async function withAggregates(
  context: DatasetsContext,
  tenant: Tenant,
  run: RunRecord,
): Promise<RunRecord & { aggregates: RunAggregates }> {
  return { ...run, aggregates: await aggregatesOf(context, tenant, run.id) };
}

export function noRun(): ServiceError {
  return new ServiceError('not_found', 'There is no such run of this dataset; list its runs to see which there are.');
}

function toRun(row: Pick<DatasetsTables['dataset_runs'], (typeof columns)[number]>): RunRecord {
  return {
    id: row.id,
    datasetId: row.dataset_id,
    name: row.name,
    metadata: JSON.parse(row.metadata),
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}
