import type { Logger } from 'pino';
import type { Config } from './config.ts';
import { openDataDirectory } from './platform/data-directory/index.ts';
import type { DataDirectory } from './platform/data-directory/index.ts';
import { armFailpoint, parseFailpoint } from './platform/failpoint/failpoint.ts';
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

/** Locks the data directory and starts to open its stores. This module imports few others, so that the rest of the program loads meanwhile. */
export async function preopenStores(config: Config, log: Logger): Promise<PreopenedStores> {
  armFailpoint(config.failpoint === null ? null : parseFailpoint(config.failpoint));
  const directory = await openDataDirectory(config.dataDirectory);
  const postgres = openPostgres({
    url: config.databaseUrl,
    dataDirectory: directory.postgres,
    onError: (error) => log.error({ err: error }, 'a connection to PostgreSQL broke'),
  });
  const wal = openWal({
    directory: directory.wal,
    backlogLimitBytes: config.walLimitBytes,
    failpoint: config.failpoint,
    onQuarantine: (file, bytes) => log.error({ file, bytes }, 'damaged bytes of the write-ahead log were moved to quarantine'),
  });
  // Awaited later; suppress early unhandled rejections.
  for (const opening of [postgres, wal]) opening.catch(() => undefined);
  return { directory, postgres, wal };
}
