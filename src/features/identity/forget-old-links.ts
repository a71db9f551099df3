import { dayMs } from '../../contract/durations.ts';
import type { IdentityContext } from './identity-context.ts';
import { countedMs } from './passwords/forgot-password.ts';

/** How long expired invitations and personal tokens are still listed, in milliseconds. */
const listedMs = 30 * dayMs;

/** Deletes requests for a new password that no longer count, and invitations and personal tokens that expired long ago. A job. */
export async function forgetOldLinks({ db, clock }: IdentityContext): Promise<void> {
  const before = (ms: number) => new Date(clock.now() - ms);
  await db.deleteFrom('password_resets').where('created_at', '<', before(countedMs)).execute();
  await db.deleteFrom('invitations').where('expires_at', '<', before(listedMs)).execute();
  await db.deleteFrom('personal_tokens').where('expires_at', '<', before(listedMs)).execute();
}
