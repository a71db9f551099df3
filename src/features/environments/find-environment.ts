import type { EnvironmentRow } from '../policy-revisions/index.ts';
import { uuidOrNull } from '../../contract/common.ts';
import { noSuchEnvironment } from './environment-record.ts';
import type { Database } from '../../platform/postgres/index.ts';

/** An environment of a project by its id. Errors: `not_found`. */
export async function findEnvironment(db: Database, projectId: string, environmentId: string): Promise<EnvironmentRow> {
  const row = await db
    .selectFrom('environments')
    .selectAll()
    .where('id', '=', uuidOrNull(environmentId))
    .where('project_id', '=', projectId)
    .executeTakeFirst();
  if (!row) throw noSuchEnvironment();
  return row;
}
