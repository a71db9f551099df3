import type { Transaction } from '../../platform/postgres/index.ts';

/** The organizations that a user is a member of. */
export async function organizationIdsOf(transaction: Transaction, userId: string): Promise<string[]> {
  const rows = await transaction.selectFrom('memberships').select('organization_id').where('user_id', '=', userId).execute();
  return rows.map((row) => row.organization_id);
}
