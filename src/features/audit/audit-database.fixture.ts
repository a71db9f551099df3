import { join } from 'node:path';
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { ManualClock } from '../../platform/clock/clock.ts';
import { migratePostgres } from '../../platform/postgres/index.ts';
import type { Backend } from '../../platform/postgres/postgres-backends.fixture.ts';
import type { AuditContext } from './audit-context.ts';
import { appendEntries } from './append-entries.ts';
import type { AppendedEntry } from './append-entries.ts';

export interface AuditDatabase {
  context: AuditContext;
  clock: ManualClock;
  /** A new organization. */
  organization(): Promise<string>;
  /** One entry in a transaction of its own. */
  record(organizationId: string, given?: Partial<AppendedEntry>): Promise<string>;
  /** Runs a statement with the triggers of both tables disabled, as the owner of the tables can. */
  tamper(statement: RawBuilder<unknown>): Promise<void>;
  close(): Promise<void>;
}

/** A migrated database of a backend, for tests of the audit log. */
export async function openAuditDatabase(backend: Backend): Promise<AuditDatabase> {
  const database = await backend.create({ migrated: true });
  const postgres = await database.open();
  await migratePostgres(postgres, join(import.meta.dirname, '../../../migrations/postgres'));
  const clock = new ManualClock(Date.UTC(2026, 10, 20, 10));
  const { db } = postgres;
  return {
    context: { db, clock },
    clock,
    organization: async () => {
      const id = uuidv7();
      await sql`INSERT INTO organizations (id, slug, name, plan, created_at) VALUES (${id}, ${id}, 'Acme', 'scale', now())`.execute(
        db,
      );
      return id;
    },
    record: (organizationId, given) =>
      db.transaction().execute(async (transaction) => {
        const [id = ''] = await appendEntries(transaction, clock, [{ ...someEntry, ...given, organizationId }]);
        return id;
      }),
    tamper: (statement) =>
      db.transaction().execute(async (transaction) => {
        for (const table of [sql`audit_entries`, sql`audit_heads`])
          await sql`ALTER TABLE ${table} DISABLE TRIGGER USER`.execute(transaction);
        await statement.execute(transaction);
        await sql`ALTER TABLE audit_entries ENABLE ALWAYS TRIGGER audit_entries_append_only`.execute(transaction);
        await sql`ALTER TABLE audit_heads ENABLE ALWAYS TRIGGER audit_heads_stay`.execute(transaction);
        await sql`ALTER TABLE audit_heads ENABLE ALWAYS TRIGGER audit_heads_rise`.execute(transaction);
      }),
    close: async () => {
      await postgres.close();
      await database.remove();
    },
  };
}

const someEntry = {
  projectId: '0197a000-0000-7000-8000-000000000001',
  kind: 'guardrail.updated',
  actor: { type: 'user', id: '0197c000-0000-7000-8000-000000000001', name: 'ann@example.com' },
  subject: 'no-secrets',
  detail: { enabled: true },
} as const;
