import type { EnvironmentPage, ListEnvironmentsQuery } from '../../contract/environments.ts';
import type { Tenant } from '../../platform/http/index.ts';
import { byCreation } from '../../platform/keyset/index.ts';
import { recordOf } from './environment-record.ts';
import type { EnvironmentsContext } from './environments-context.ts';
import { lastSeen, seenUnregistered } from './last-seen.ts';
import { readAttachments } from './read-attachments.ts';

const oldestFirst = byCreation('asc');

/**
 * The environments of a project, oldest first, and the names on its recent spans that have no record (docs/semantics.md, "Environments").
 *
 * Errors: `invalid_request` for a cursor of another list.
 */
export async function listEnvironments(
  context: EnvironmentsContext,
  tenant: Tenant,
  query: ListEnvironmentsQuery,
): Promise<EnvironmentPage> {
  const { db, attachmentReaders } = context;
  const { projectId } = tenant;
  const select = db.selectFrom('environments').selectAll().where('project_id', '=', projectId);
  const { rows, nextCursor } = await oldestFirst.read(select, query);
  const registered = await db.selectFrom('environments').select('name').where('project_id', '=', projectId).execute();
  const names = rows.map(({ name }) => name);
  const attached = await readAttachments(attachmentReaders, db, projectId, names);
  const [seen, unregistered] = await Promise.all([
    lastSeen(context, tenant, names),
    seenUnregistered(
      context,
      tenant,
      registered.map(({ name }) => name),
    ),
  ]);
  return {
    environments: rows.map((row) => recordOf(row, attached.get(row.name), seen.get(row.name) ?? null)),
    nextCursor,
    unregistered,
  };
}
