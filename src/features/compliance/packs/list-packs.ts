import type { z } from 'zod';
import type { listPacksQuery, ListedPack, PackPage } from '../../../contract/evidence-packs.ts';
import { byCreation } from '../../../platform/keyset/index.ts';
import type { PacksContext } from './packs-context.ts';

const newestFirst = byCreation('desc');

/** The evidence packs of a project without their evidence, newest first. */
export async function listPacks(
  { db }: Pick<PacksContext, 'db'>,
  projectId: string,
  query: z.output<typeof listPacksQuery>,
): Promise<PackPage> {
  const select = db.selectFrom('evidence_packs').select(['id', 'created_at', 'listed']).where('project_id', '=', projectId);
  const { rows, nextCursor } = await newestFirst.read(select, query);
  return { evidencePacks: rows.map(({ listed }) => JSON.parse(listed) as ListedPack), nextCursor };
}
