import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { uuidOrNull } from '../../contract/common.ts';
import type { Dataset, DatasetBody, DatasetChange, DatasetsQuery } from '../../contract/datasets.ts';
import { ServiceError } from '../../contract/errors.ts';
import { isUniqueViolation } from '../../platform/postgres/index.ts';
import { storableText } from '../../platform/text/index.ts';
import { byCreation } from '../../platform/keyset/index.ts';
import { nowOf } from './datasets-context.ts';
import type { DatasetsContext } from './datasets-context.ts';
import { metadataText } from './stored-json.ts';
import type { DatasetsTables } from './tables.ts';

const newestFirst = byCreation('desc');

const columns = ['id', 'project_id', 'name', 'description', 'metadata', 'item_count', 'created_at', 'updated_at'] as const;
type DatasetRow = Pick<DatasetsTables['datasets'], (typeof columns)[number]>;

/** Creates a dataset without items. Errors: `conflict` when the project has one of this name. */
export async function createDataset(context: DatasetsContext, projectId: string, input: DatasetBody): Promise<Dataset> {
  const now = nowOf(context);
  const row = {
    id: uuidv7(),
    project_id: projectId,
    name: input.name,
    description: input.description ?? null,
    metadata: metadataText(input.metadata),
    created_at: now,
    updated_at: now,
  };
  await underFreeName(() =>
    context.db
      .insertInto('datasets')
      .values({ ...row, last_place: 0, item_count: 0 })
      .execute(),
  );
  return toDataset({ ...row, item_count: 0 });
}

/** The datasets of a project, newest first. */
export async function listDatasets(
  context: DatasetsContext,
  projectId: string,
  query: DatasetsQuery,
): Promise<{ datasets: Dataset[]; nextCursor: string | null }> {
  let select = context.db.selectFrom('datasets').select(columns).where('project_id', '=', projectId);
  if (query.name !== undefined) select = select.where('name', '=', storableText(query.name));
  if (query.q !== undefined) select = select.where(sql<boolean>`position(lower(${storableText(query.q)}) IN lower(name)) > 0`);
  const { rows, nextCursor } = await newestFirst.read(select, query);
  return { datasets: rows.map(toDataset), nextCursor };
}

/** One dataset of a project. Errors: `not_found`, also for a dataset of another project. */
export async function getDataset(context: Pick<DatasetsContext, 'db'>, projectId: string, datasetId: string): Promise<Dataset> {
  const row = await context.db
    .selectFrom('datasets')
    .select(columns)
    .where('id', '=', uuidOrNull(datasetId))
    .where('project_id', '=', projectId)
    .executeTakeFirst();
  if (!row) throw noDataset();
  return toDataset(row);
}

/** Changes the given fields. Errors: `not_found`; `conflict` when another dataset of the project has this name. */
export async function changeDataset(
  context: DatasetsContext,
  projectId: string,
  datasetId: string,
  change: DatasetChange,
): Promise<Dataset> {
  const row = await underFreeName(() =>
    context.db
      .updateTable('datasets')
      .set({
        updated_at: nowOf(context),
        ...(change.name === undefined ? {} : { name: change.name }),
        ...(change.description === undefined ? {} : { description: change.description }),
        ...(change.metadata === undefined ? {} : { metadata: metadataText(change.metadata) }),
      })
      .where('id', '=', datasetId)
      .where('project_id', '=', projectId)
      .returning(columns)
      .executeTakeFirst(),
  );
  if (!row) throw noDataset();
  return toDataset(row);
}

export function noDataset(): ServiceError {
  return new ServiceError('not_found', 'There is no such dataset in this project; list the datasets to see which there are.');
}

async function underFreeName<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!isUniqueViolation(error, 'datasets_name')) throw error;
    throw new ServiceError('conflict', 'The project has a dataset of this name already; choose another name.', {
      details: [{ path: '/name', message: 'is taken' }],
    });
  }
}

function toDataset(row: DatasetRow): Dataset & { createdAt: string } {
  return {
    id: row.id,
    projectId: row.project_id,
    name: row.name,
    description: row.description,
    metadata: JSON.parse(row.metadata),
    itemCount: row.item_count,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}
