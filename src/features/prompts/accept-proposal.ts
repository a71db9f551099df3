import { sql } from 'kysely';
import type { VersionRow } from './version-store.ts';
import type { Transaction } from '../../platform/postgres/index.ts';

/** Makes a proposal an ordinary version, which `latest` moves to unless a newer one has it (docs/semantics.md, "Labels"). */
export async function acceptProposal(
  transaction: Transaction,
  { id, familyId, version }: Pick<VersionRow, 'id' | 'familyId' | 'version'>,
): Promise<void> {
  await transaction.updateTable('prompt_versions').set({ proposal: false }).where('id', '=', id).execute();
  await transaction
    .updateTable('prompt_families')
    .set({ latest_version: sql<number>`greatest(latest_version, ${version}::integer)` })
    .where('id', '=', familyId)
    .execute();
}
