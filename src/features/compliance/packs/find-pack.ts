import { uuidOrNull } from '../../../contract/common.ts';
import { ServiceError } from '../../../contract/errors.ts';
import type { PacksContext } from './packs-context.ts';

/** The stored bytes of a project's pack. Errors: `not_found`. */
export async function findPack(context: Pick<PacksContext, 'db'>, projectId: string, packId: string): Promise<Buffer> {
  const row = await ofPack(context, projectId, packId).select('content').executeTakeFirst();
  return row?.content ?? missing();
}

/** Errors: `not_found` unless the project has the pack. Reads no content. */
export async function requirePack(context: Pick<PacksContext, 'db'>, projectId: string, packId: string): Promise<void> {
  const row = await ofPack(context, projectId, packId).select('id').executeTakeFirst();
  if (!row) missing();
}

function ofPack({ db }: Pick<PacksContext, 'db'>, projectId: string, packId: string) {
  return db.selectFrom('evidence_packs').where('project_id', '=', projectId).where('id', '=', uuidOrNull(packId));
}

function missing(): never {
  throw new ServiceError('not_found', 'There is no such evidence pack in this project; list them to see which there are.');
}
