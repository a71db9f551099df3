import type { Acting } from '../../contract/actor.ts';
import { uuidOrNull } from '../../contract/common.ts';
import { ServiceError } from '../../contract/errors.ts';
import { recordAudit } from '../audit/index.ts';
import type { SharesContext } from './shares-context.ts';

function noShare(): ServiceError {
  return new ServiceError('not_found', 'There is no such link in this project; list the links of the trace.');
}

/** Errors: `not_found`. */
export async function requireShare({ db }: SharesContext, projectId: string, shareId: string): Promise<void> {
  const found = await db
    .selectFrom('shares')
    .select('id')
    .where('project_id', '=', projectId)
    .where('id', '=', uuidOrNull(shareId))
    .executeTakeFirst();
  if (!found) throw noShare();
}

/** Deletes a link, which shows nothing from then on, and records it in the audit log. Errors: `not_found`. */
export async function deleteShare({ db, clock }: SharesContext, acting: Acting, shareId: string): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const deleted = await transaction
      .deleteFrom('shares')
      .where('project_id', '=', acting.projectId)
      .where('id', '=', uuidOrNull(shareId))
      .returning(['id', 'trace_id', 'payloads', 'redact', 'expires_at'])
      .executeTakeFirst();
    if (!deleted) throw noShare();
    const { id, trace_id: traceId, payloads, redact, expires_at: expires } = deleted;
    const detail = { traceId, payloads, redact, expiresAt: expires.toISOString() };
    await recordAudit(transaction, clock, { ...acting, kind: 'share.deleted', subject: id, detail });
  });
}
