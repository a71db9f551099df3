import { existsSync } from 'node:fs';
import type { Logger } from 'pino';
import { v7 as uuidv7 } from 'uuid';
import type { Stores } from '../feature/index.ts';
import { forgetSecret, isOtherSecret } from '../postgres/index.ts';
import { readLogInstallation, writeLogInstallation } from '../wal/index.ts';
import { describeFault } from './describe-fault.ts';
import { readInstallationRecord, writeInstallationRecord } from './installation-record.ts';
import { judgeStores } from './judge-stores.ts';
import type { StoreFacts, StoreFault } from './judge-stores.ts';
import { readClickHouseIds, readPostgresId, writeClickHouseId, writePostgresId } from './stored-ids.ts';
import { InstallationError } from './store-names.ts';
import type { StoreName } from './store-names.ts';

type OpenStores = Pick<Stores, 'directory' | 'postgres' | 'clickhouse' | 'wal'>;

/** Asks opened and migrated stores which installation they belong to. @param secretKey of the environment; null: that of the data directory */
export async function readStoreFacts(
  { directory, postgres, clickhouse }: OpenStores,
  secretKey: string | null,
): Promise<StoreFacts> {
  const secret = secretKey ?? (existsSync(directory.secretKeyFile) ? directory.secretKey() : null);
  const isOther = await isOtherSecret(postgres.db, secret);
  return {
    postgres: { mode: postgres.mode, found: await readPostgresId(postgres.db) },
    clickhouse: {
      mode: clickhouse.mode === 'http' ? 'server' : 'embedded',
      ids: await readClickHouseIds(clickhouse),
    },
    log: await readLogInstallation(directory.wal),
    record: readInstallationRecord(directory.path),
    secret: secret === null ? (isOther ? 'missing' : 'unknown') : isOther ? 'other' : 'same',
  };
}

/** One sentence for each store that does not belong to the others. */
export function describeFaults(stores: OpenStores, faults: ReadonlyMap<StoreName, StoreFault>): string[] {
  const places = {
    dataDirectory: stores.directory.path,
    postgresIsServer: stores.postgres.mode === 'server',
    clickhouseIsServer: stores.clickhouse.mode === 'http',
  };
  return [...faults].map(([store, fault]) => describeFault(store, fault, places));
}

/**
 * Checks that the stores belong to one installation, and gives its id to those that have none: at a first start, at the first start of this release,
 * in a new replica, after a move to servers, and after a loss that is accepted.
 *
 * Errors: {@link InstallationError} when a store is missing or another's, and its loss is not accepted.
 *
 * @param accept the stores whose loss the operator has accepted
 */
export async function joinInstallation(
  stores: OpenStores,
  { secretKey, accept, log }: { secretKey: string | null; accept: readonly StoreName[]; log: Pick<Logger, 'warn' | 'info'> },
): Promise<void> {
  const { directory, postgres, clickhouse } = stores;
  // Replicas that start at once agree on one id.
  await postgres.withLock('spanwise-installation', async () => {
    const facts = await readStoreFacts(stores, secretKey);
    const { id: known, faults } = judgeStores(facts);
    const refused = new Map([...faults].filter(([store]) => !accept.includes(store)));
    if (refused.size > 0) throw new InstallationError(describeFaults(stores, refused));
    for (const store of faults.keys()) log.warn({ store }, 'the loss of a store was accepted (--accept-missing)');
    if (faults.has('secret')) await forgetSecret(postgres.db);
    const id = known ?? uuidv7();
    const { found } = facts.postgres;
    // PostgreSQL first, and complete last: an interrupted start is then known as such.
    if (found?.id !== id) await writePostgresId(postgres.db, { id, isComplete: false });
    if (!facts.clickhouse.ids.includes(id)) await writeClickHouseId(clickhouse, id);
    if (facts.log !== id) await writeLogInstallation(directory.wal, id);
    // The record says that there is one.
    if (secretKey === null) directory.secretKey();
    const places = { postgres: facts.postgres.mode, clickhouse: facts.clickhouse.mode };
    writeInstallationRecord(directory.path, { id, ...places, secret: secretKey === null ? 'file' : 'environment' });
    if (found?.id !== id || !found.isComplete) await writePostgresId(postgres.db, { id, isComplete: true });
  });
}
