import type { AuditContext } from './audit-context.ts';
import { recordAudits } from './record-audit.ts';

interface ExpiredRows {
  organizationId: string;
  projectId: string;
  /** Everything before this moment goes, epoch milliseconds. */
  beforeMs: number;
  tables: readonly string[];
}

/** Entries that one transaction writes: it locks as many chains. */
const chunkSize = 500;

/** Tells each organisation what the plan's retention deletes of its projects. */
export async function recordRetention({ db, clock }: AuditContext, expired: readonly ExpiredRows[]): Promise<void> {
  for (let at = 0; at < expired.length; at += chunkSize) {
    const entries = expired.slice(at, at + chunkSize).map(({ organizationId, projectId, beforeMs, tables }) => ({
      organizationId,
      projectId,
      kind: 'retention.deleted' as const,
      actor: { type: 'system' as const },
      subject: projectId,
      detail: { before: new Date(beforeMs).toISOString(), tables },
    }));
    await db.transaction().execute((transaction) => recordAudits(transaction, clock, entries));
  }
}
