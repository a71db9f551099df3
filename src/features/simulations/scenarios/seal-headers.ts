import { sql } from 'kysely';
import { SealBroken } from '../../../platform/crypto/secret-box.ts';
import type { SimulationsContext } from '../simulations-context.ts';
import { openSecrets, sealSecrets, shownTarget } from './target-secrets.ts';

const chunkSize = 100;

interface Unsealed {
  id: string;
  /** The scenario's id, for which secrets are sealed. */
  owner: string;
  target: string;
  sealed_headers: string | null;
}

/** Seals the headers of scenarios and batch runs that an earlier release kept as they were (docs/semantics.md, "HTTP targets"). Repeatable. */
export async function sealHeaders(context: Pick<SimulationsContext, 'db' | 'box'>, signal: AbortSignal): Promise<void> {
  for (const [table, owner] of [
    ['simulation_scenarios', 'id'],
    ['simulation_batch_runs', 'scenario_id'],
  ] as const) {
    while (!signal.aborted && (await sealSome(context, table, owner)) === chunkSize);
  }
}

async function sealSome({ db, box }: Pick<SimulationsContext, 'db' | 'box'>, table: string, owner: string): Promise<number> {
  return db.transaction().execute(async (transaction) => {
    const { rows } = await sql<Unsealed>`SELECT id, ${sql.ref(owner)} AS owner, target, sealed_headers FROM ${sql.table(table)}
      WHERE NOT headers_sealed ORDER BY id LIMIT ${chunkSize} FOR UPDATE`.execute(transaction);
    for (const row of rows) {
      const sealed = resealed(box, row);
      await sql`UPDATE ${sql.table(table)} SET target = ${JSON.stringify(shownTarget(row.target))}, sealed_headers = ${sealed},
        headers_sealed = true WHERE id = ${row.id}::uuid`.execute(transaction);
    }
    return rows.length;
  });
}

/** Secrets of another installation's secret stay as they are: the headers beside them are given up, as they have to be given anew. */
function resealed(box: SimulationsContext['box'], row: Unsealed): string | null {
  try {
    return sealSecrets(box, openSecrets(box, row, row.owner), row.owner);
  } catch (error) {
    if (error instanceof SealBroken) return row.sealed_headers;
    throw error;
  }
}
