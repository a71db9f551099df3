import { hourMs } from '../../contract/durations.ts';
import { v7 as uuidv7 } from 'uuid';
import type { ChangeBody, ChangeRecord } from '../../contract/changes.ts';
import { ServiceError } from '../../contract/errors.ts';
import { recordOf } from './change-record.ts';
import type { ChangesContext } from './changes-context.ts';

const aheadMs = 24 * hourMs;

/**
 * Records a change that a pipeline or a person reports (docs/semantics.md, "Changes").
 *
 * @returns the record, and whether it was made now; the record of an idempotency key is made once
 *
 * Errors: `invalid_request` for a time more than 24 hours ahead.
 */
export async function recordChange(
  { db, clock }: Pick<ChangesContext, 'db' | 'clock'>,
  projectId: string,
  body: ChangeBody,
): Promise<{ change: ChangeRecord; made: boolean }> {
  const now = new Date(clock.now());
  const at = body.at === undefined ? now : new Date(body.at);
  if (at.getTime() > now.getTime() + aheadMs) {
    throw new ServiceError('invalid_request', 'Send an at that is at most 24 hours ahead, or none for now.', {
      details: [{ path: '/at', message: 'must be at most 24 hours ahead' }],
    });
  }
  const row = {
    id: uuidv7(),
    project_id: projectId,
    at,
    kind: body.kind,
    service: body.service ?? null,
    version: body.version ?? null,
    commit_sha: body.commitSha ?? null,
    environment: body.environment ?? null,
    actor: body.actor ?? null,
    url: body.url ?? null,
    description: body.description ?? null,
    idempotency_key: body.idempotencyKey ?? null,
    metadata: JSON.stringify(body.metadata ?? {}),
    created_at: now,
  };
  const made = await db
    .insertInto('changes')
    .values(row)
    .onConflict((conflict) => conflict.constraint('changes_idempotency_key').doNothing())
    .returningAll()
    .executeTakeFirst();
  const stored =
    made ??
    (await db
      .selectFrom('changes')
      .selectAll()
      .where('project_id', '=', projectId)
      .where('idempotency_key', '=', row.idempotency_key)
      .executeTakeFirstOrThrow());
  return { change: recordOf({ ...stored, audit_kind: null }), made: made !== undefined };
}
