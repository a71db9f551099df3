import { systemActor } from '../../contract/actor.ts';
import type { AuditContext } from './audit-context.ts';
import { recordAudits } from './record-audit.ts';

interface ExpiredRows {
  organizationId: string;
  projectId: string;
  /** Older rows are deleted; epoch milliseconds. */
  beforeMs: number;
  tables: readonly string[];
}

/** Entries per transaction; each may lock another chain. */
const chunkSize = 500;

/** Records in each organization what retention deletes of its projects. */
export async function recordRetention({ db, clock }: AuditContext, expired: readonly ExpiredRows[]): Promise<void> {
  for (let at = 0; at < expired.length; at += chunkSize) {
    const entries = expired.slice(at, at + chunkSize).map(({ organizationId, projectId, beforeMs, tables }) => ({
      organizationId,
      projectId,
      kind: 'retention.deleted' as const,
      actor: systemActor,
      subject: projectId,
      detail: { before: new Date(beforeMs).toISOString(), tables: [...tables] },
    }));
    await db.transaction().execute((transaction) => recordAudits(transaction, clock, entries));
  }
}
