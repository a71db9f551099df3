import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { Acting } from '../../contract/actor.ts';
import { dayMs } from '../../contract/durations.ts';
import { ServiceError } from '../../contract/errors.ts';
import type { ShareBody, ShareCreated } from '../../contract/shares.ts';
import { hashSecret } from '../../platform/crypto/secrets.ts';
import type { Tenant } from '../../platform/http/index.ts';
import { recordAudit } from '../audit/index.ts';
import { noTrace } from '../traces/index.ts';
import type { SharesContext } from './shares-context.ts';

/** Bytes of a link's secret: 43 characters in base64url. */
const secretBytes = 32;
/** Valid links of a trace. */
const mostSharesOfTrace = 100;

/** Errors: `sharing_disabled` where an owner has switched links off; `not_found` for a trace that the project does not have. */
export async function requireShareable(context: SharesContext, tenant: Tenant, traceId: string): Promise<void> {
  const sharing = await context.sharingOf(tenant.projectId);
  if (sharing?.sharedLinks === false)
    throw new ServiceError(
      'sharing_disabled',
      'Shared links are switched off in this organization; ask one of its owners to allow them.',
    );
  await requireTrace(context, tenant, traceId);
}

/** Errors: `not_found` for a trace that the project does not have. */
export async function requireTrace(context: SharesContext, tenant: Tenant, traceId: string): Promise<void> {
  if (!(await context.hasTrace(tenant, traceId))) throw noTrace();
}

/**
 * Makes a link that shows a trace without an account (docs/semantics.md, "Shared links"), and records it in the audit log. The link is returned, only here: its hash
 * is stored.
 *
 * Errors: `conflict` beyond the links of a trace.
 */
export async function createShare(
  { db, clock, publicOrigin }: SharesContext,
  acting: Acting,
  traceId: string,
  { expiresInDays, payloads, redact }: ShareBody,
): Promise<ShareCreated> {
  const token = randomBytes(secretBytes).toString('base64url');
  const [id, now] = [uuidv7(), new Date(clock.now())];
  const expires = new Date(now.getTime() + expiresInDays * dayMs);
  const expiresAt = expires.toISOString();
  await db.transaction().execute(async (transaction) => {
    // One at a time, so that concurrent requests do not pass the limit.
    await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`share ${acting.projectId} ${traceId}`}, 0))`.execute(transaction);
    const { others } = await transaction
      .selectFrom('shares')
      .select(sql<number>`count(*)::int`.as('others'))
      .where('project_id', '=', acting.projectId)
      .where('trace_id', '=', traceId)
      .where('expires_at', '>', now)
      .executeTakeFirstOrThrow();
    if (others >= mostSharesOfTrace)
      throw new ServiceError(
        'conflict',
        `A trace has at most ${mostSharesOfTrace} links that are valid; delete one of them first.`,
      );
    await transaction
      .insertInto('shares')
      .values({
        id,
        project_id: acting.projectId,
        trace_id: traceId,
        token_sha256: hashSecret(token),
        payloads,
        redact,
        created_at: now,
        expires_at: expires,
      })
      .execute();
    const detail = { traceId, payloads, redact, expiresAt };
    await recordAudit(transaction, clock, { ...acting, kind: 'share.created', subject: id, detail });
  });
  return { id, url: `${publicOrigin()}/share/${token}`, expiresAt };
}
