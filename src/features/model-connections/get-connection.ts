import { uuidOrNull } from '../../contract/common.ts';
import type { ModelConnectionRecord } from '../../contract/model-connections.ts';
import { storableText } from '../../platform/text/index.ts';
import { noSuchConnection, recordOf } from './connection-record.ts';
import type { ConnectionRow } from './connection-record.ts';
import type { ConnectionsContext } from './connections-context.ts';

/** A stored model connection; null when the project has none with this id. */
export async function findConnection(
  { db }: Pick<ConnectionsContext, 'db'>,
  projectId: string,
  connectionId: string,
): Promise<ConnectionRow | null> {
  const row = await db
    .selectFrom('model_connections')
    .selectAll()
    .where('id', '=', uuidOrNull(connectionId))
    .where('project_id', '=', projectId)
    .executeTakeFirst();
  return row ?? null;
}

/** Errors: `not_found` when the project has no such connection. */
export async function getConnection(
  context: Pick<ConnectionsContext, 'db'>,
  projectId: string,
  connectionId: string,
): Promise<ModelConnectionRecord> {
  const row = await findConnection(context, projectId, connectionId);
  if (!row) throw noSuchConnection();
  return recordOf(row);
}

/** A stored model connection by its name; null when the project has none. */
export async function findConnectionNamed(
  { db }: Pick<ConnectionsContext, 'db'>,
  projectId: string,
  name: string,
): Promise<ConnectionRow | null> {
  const row = await db
    .selectFrom('model_connections')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('name', '=', storableText(name))
    .executeTakeFirst();
  return row ?? null;
}

/** The model connection of a project that has only one; null when it has none or several. */
export async function soleConnection({ db }: Pick<ConnectionsContext, 'db'>, projectId: string): Promise<ConnectionRow | null> {
  const rows = await db.selectFrom('model_connections').selectAll().where('project_id', '=', projectId).limit(2).execute();
  return rows.length === 1 ? (rows[0] ?? null) : null;
}

/** Whether a project has a model connection of this name. */
export async function hasConnectionNamed(
  context: Pick<ConnectionsContext, 'db'>,
  projectId: string,
  name: string,
): Promise<boolean> {
  return (await findConnectionNamed(context, projectId, name)) !== null;
}
