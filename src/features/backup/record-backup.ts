import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { Clock } from '../../platform/clock/clock.ts';
import type { Postgres } from '../../platform/postgres/index.ts';

/** Records a backup whose files were copied to the end, which is evidence for auditors (docs/semantics.md, "Evidence packs"). */
export async function recordBackup({ db, mode }: Pick<Postgres, 'db' | 'mode'>, clock: Clock): Promise<void> {
  const stores = mode === 'embedded' ? 'embedded' : 'servers';
  await sql`INSERT INTO backup_runs (id, finished_at, stores) VALUES (${uuidv7()}::uuid, ${new Date(clock.now())}, ${stores})`.execute(
    db,
  );
}
