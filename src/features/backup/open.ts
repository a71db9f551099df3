import type { Feature, Platform } from '../../platform/feature/index.ts';
import { recordBackup } from './record-backup.ts';
import { serveBackups } from './serve-backups.ts';

export interface BackupPorts {
  /** Runs work while no batch is written to ClickHouse and no job changes both stores; requests are accepted meanwhile. */
  whileStill<T>(work: () => Promise<T>): Promise<T>;
  /** null: the secret is in the environment. */
  secretKeyFile: string | null;
  /** Runs an operation of the operator's command line. */
  operate(operation: string, input: unknown): Promise<unknown>;
}

/** Answers `spanwise backup`, and the commands that run in the service, on a socket in the data directory. */
export async function open(
  {
    postgres,
    clickhouse,
    wal,
    directory,
    clock,
    log,
  }: Pick<Platform, 'postgres' | 'clickhouse' | 'wal' | 'directory' | 'clock' | 'log'>,
  { whileStill, secretKeyFile, operate }: BackupPorts,
): Promise<Feature> {
  const backups = await serveBackups({
    postgres,
    clickhouse,
    wal,
    directory,
    socket: directory.controlSocket,
    postgresDirectory: directory.postgres,
    secretKeyFile,
    whileStill,
    operate,
    onCopied: () => recordBackup(postgres, clock),
    onError: (error) => log.warn({ err: error }, 'a backup could not be made'),
  });
  // A backup may hold PostgreSQL's only connection, which requests in progress need.
  return { drain: () => backups.close() };
}
