import type { Selectable } from 'kysely';
import { ServiceError } from '../../contract/errors.ts';
import type { ViewRecord } from '../../contract/views.ts';
import { isUniqueViolation } from '../../platform/postgres/index.ts';
import type { ViewTables } from './tables.ts';

export type ViewRow = Selectable<ViewTables['views']>;

/** A view as the API returns it. */
export function recordOf(row: Omit<ViewRow, 'place'>): ViewRecord {
  return {
    id: row.id,
    name: row.name,
    on: row.subject,
    filter: row.filter,
    columns: row.columns,
    sort: row.sort,
    range: row.range,
    visibility: row.visibility,
    pinned: row.pinned,
    createdBy: row.created_by,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

/** The columns of a view's fields. */
export function columnsOf({ on, ...fields }: Omit<ViewRecord, 'id' | 'createdBy' | 'createdAt' | 'updatedAt'>) {
  const { name, filter, columns, sort, range, visibility, pinned } = fields;
  return { name, subject: on, filter, columns, sort, range, visibility, pinned };
}

/** Runs a write; throws `conflict` where another view in the same place has the name. */
export async function underFreeName<T>(
  { name, visibility }: Pick<ViewRecord, 'name' | 'visibility'>,
  store: () => Promise<T>,
): Promise<T> {
  try {
    return await store();
  } catch (error) {
    if (!isUniqueViolation(error, visibility === 'project' ? 'views_project_name' : 'views_private_name')) throw error;
    const whose = visibility === 'project' ? 'This project has' : 'You have';
    throw new ServiceError('conflict', `${whose} a view named ${name} already; choose another name.`, {
      details: [{ path: '/name', message: 'is taken' }],
      cause: error,
    });
  }
}
