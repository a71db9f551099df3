import type { Transaction } from '../../../platform/postgres/index.ts';

/** Ends the links that set a new password of an account, sent or not. The requests still count. */
export async function forgetResetLinks(transaction: Transaction, email: string): Promise<void> {
  await transaction
    .updateTable('password_resets')
    .set({ token_sha256: null, mail_due_at: null })
    .where('account', '=', email.toLowerCase())
    .execute();
}
