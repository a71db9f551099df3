import type { Database } from '../../platform/postgres/index.ts';

/** Deletes the links of a trace. Repeatable. */
export async function forgetTrace(db: Database, projectId: string, traceId: string): Promise<void> {
  await db.deleteFrom('shares').where('project_id', '=', projectId).where('trace_id', '=', traceId).execute();
}

/** Deletes links that have expired. @param nowMs epoch milliseconds */
export async function forgetExpired(db: Database, nowMs: number): Promise<void> {
  await db.deleteFrom('shares').where('expires_at', '<=', new Date(nowMs)).execute();
}
