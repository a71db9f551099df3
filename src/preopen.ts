import type { Logger } from 'pino';
import type { Config } from './config.ts';
import { openDataDirectory } from './platform/data-directory/index.ts';
import type { DataDirectory, ModeFinding } from './platform/data-directory/index.ts';
import { armFailpoint, parseFailpoint } from './platform/failpoint/failpoint.ts';
import { refuseMissing } from './platform/installation/index.ts';
import type { StoreName } from './platform/installation/index.ts';
import { openPostgres } from './platform/postgres/index.ts';
import type { Postgres } from './platform/postgres/index.ts';
import { openWal } from './platform/wal/index.ts';
import type { OpenedWal } from './platform/wal/index.ts';

/** Stores that are opened first, in threads of their own: PostgreSQL takes half a second to start. */
export interface PreopenedStores {
  directory: DataDirectory;
  postgres: Promise<Postgres>;
  wal: Promise<OpenedWal>;
}

/**
 * Locks the data directory and starts to open its stores. This module imports few others, so that the rest of the program loads meanwhile.
 *
 * @param acceptMissing stores that may have gone from the data directory; a start makes empty ones in their place
 */
export async function preopenStores(
  config: Config,
  log: Logger,
  acceptMissing: readonly StoreName[] = [],
): Promise<PreopenedStores> {
  armFailpoint(config.failpoint === null ? null : parseFailpoint(config.failpoint));
  const directory = await openDataDirectory(config.dataDirectory);
  try {
    refuseMissing(directory, config, acceptMissing);
  } catch (error) {
    await directory.close();
    throw error;
  }
  if (directory.mode !== null) reportMode(directory.path, directory.mode, log);
  const postgres = openPostgres({
    url: config.databaseUrl,
    dataDirectory: directory.postgres,
    onError: (error) => log.error({ err: error }, 'a connection to PostgreSQL broke'),
  });
  const wal = openWal({
    directory: directory.wal,
    backlogLimitBytes: config.walLimitBytes,
    failpoint: config.failpoint,
    onTornTail: (file, bytes) =>
      log.warn(
        { file, bytes },
        'the write-ahead log ended within a record, as after a kill or a power cut; the record was never acknowledged and was removed',
      ),
    onQuarantine: (file, bytes) => log.error({ file, bytes }, 'damaged bytes of the write-ahead log were moved to quarantine'),
  });
  // Awaited later; suppress early unhandled rejections.
  for (const opening of [postgres, wal]) opening.catch(() => undefined);
  return { directory, postgres, wal };
}

function reportMode(path: string, { was, isPrivate, fault }: ModeFinding, log: Logger): void {
  if (isPrivate) log.warn({ path, was }, 'the data directory was open to other users (mode %s); it is 0700 now', was);
  else
    log.warn(
      { path, was, fault },
      'the data directory is open to other users (mode %s) and could not be set to 0700 (%s); keep others away from it by other means',
      was,
      fault,
    );
}
