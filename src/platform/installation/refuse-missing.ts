import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { DataDirectory } from '../data-directory/index.ts';
import { describeFault } from './describe-fault.ts';
import { readInstallationRecord } from './installation-record.ts';
import type { StoreFault } from './judge-stores.ts';
import { InstallationError } from './store-names.ts';
import type { StoreName } from './store-names.ts';

export interface StoreSettings {
  databaseUrl: string | null;
  clickhouseUrl: string | null;
  secretKey: string | null;
}

/**
 * Refuses a data directory from which a store of its last start has gone, before an empty one is made in its place: a backup can then be copied there.
 * What only an opened store knows is checked later (`joinInstallation`).
 *
 * Errors: {@link InstallationError}.
 *
 * @param accept the stores whose loss the operator has accepted
 */
export function refuseMissing(
  directory: Pick<DataDirectory, 'path' | 'postgres' | 'clickhouse' | 'wal' | 'secretKeyFile'>,
  { databaseUrl, clickhouseUrl, secretKey }: StoreSettings,
  accept: readonly StoreName[],
): void {
  const record = readInstallationRecord(directory.path);
  if (record === null) return;
  const faults = new Map<StoreName, StoreFault>();
  const embedded = (store: 'postgres' | 'clickhouse', isThere: boolean) => {
    if (record[store] === 'server') faults.set(store, 'left');
    else if (!isThere) faults.set(store, 'missing');
  };
  if (databaseUrl === null) embedded('postgres', existsSync(join(directory.postgres, 'PG_VERSION')));
  if (clickhouseUrl === null) embedded('clickhouse', hasFiles(directory.clickhouse));
  if (!existsSync(join(directory.wal, 'log-id'))) faults.set('log', 'missing');
  if (record.secret === 'file' && secretKey === null && !existsSync(directory.secretKeyFile)) faults.set('secret', 'missing');
  const places = {
    dataDirectory: directory.path,
    postgresIsServer: databaseUrl !== null,
    clickhouseIsServer: clickhouseUrl !== null,
  };
  const refused = [...faults].filter(([store]) => !accept.includes(store));
  if (refused.length > 0) throw new InstallationError(refused.map(([store, fault]) => describeFault(store, fault, places)));
}

function hasFiles(directory: string): boolean {
  return existsSync(directory) && readdirSync(directory).length > 0;
}
