import { ServiceError } from '../../contract/errors.ts';
import { hashSecret } from '../../platform/crypto/secrets.ts';
import type { Tenant } from '../../platform/http/index.ts';
import type { SharesContext } from './shares-context.ts';

/** A valid link. */
export interface FoundShare {
  id: string;
  tenant: Tenant;
  traceId: string;
  payloads: boolean;
  redact: boolean;
  expiresAt: string;
}

/** The form of every link's secret. */
const secretForm = /^[\w-]{43}$/;

/** The one answer to every link that shows nothing: it does not tell why. */
export function noSharedTrace(): ServiceError {
  return new ServiceError(
    'not_found',
    'This link shows nothing: it is unknown, has expired or was deleted; ask who sent it for a new one.',
  );
}

/**
 * The link with a secret. Whether its trace is still there is not known.
 *
 * Errors: `not_found` for one that is unknown, deleted or expired, or where links are switched off.
 */
export async function findShare({ db, clock, sharingOf }: SharesContext, token: string): Promise<FoundShare> {
  const row = secretForm.test(token)
    ? await db
        .selectFrom('shares')
        .select(['id', 'project_id', 'trace_id', 'payloads', 'redact', 'expires_at'])
        .where('token_sha256', '=', hashSecret(token))
        .where('expires_at', '>', new Date(clock.now()))
        .executeTakeFirst()
    : undefined;
  const sharing = row && (await sharingOf(row.project_id));
  if (!row || !sharing?.sharedLinks) throw noSharedTrace();
  const { id, trace_id: traceId, payloads, redact, expires_at: expires } = row;
  return { id, tenant: sharing.tenant, traceId, payloads, redact, expiresAt: expires.toISOString() };
}

/** Errors: `not_found` for a link that shows nothing. */
export async function requireShown(context: SharesContext, token: string): Promise<void> {
  if (!(await isShown(context, token))) throw noSharedTrace();
}

/** Whether a link shows a trace. */
export async function isShown(context: SharesContext, token: string): Promise<boolean> {
  try {
    const { tenant, traceId } = await findShare(context, token);
    return await context.hasTrace(tenant, traceId);
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'not_found') return false;
    throw error;
  }
}
