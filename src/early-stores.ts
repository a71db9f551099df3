import type { Logger } from 'pino';
import type { Config } from './config.ts';
import { openDataDirectory } from './platform/data-directory/index.ts';
import type { DataDirectory } from './platform/data-directory/index.ts';
import { armFailpoint, parseFailpoint } from './platform/failpoint/failpoint.ts';
import { openPostgres } from './platform/postgres/index.ts';
import type { Postgres } from './platform/postgres/index.ts';
import { openWal } from './platform/wal/index.ts';
import type { OpenedWal } from './platform/wal/index.ts';

/** What is opened before anything else, in threads of its own: PostgreSQL takes half a second. */
export interface EarlyStores {
  directory: DataDirectory;
  postgres: Promise<Postgres>;
  wal: Promise<OpenedWal>;
}

/** Takes the data directory and begins to open what lies in it. This module needs few others, so that the rest of the program is loaded meanwhile. */
export async function openEarlyStores(config: Config, log: Logger): Promise<EarlyStores> {
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
    onQuarantine: (file, bytes) => log.error({ file, bytes }, 'damaged bytes of the write-ahead log were put aside'),
  });
  // Whoever takes them is told why there is none; until then nobody waits for them.
  for (const opening of [postgres, wal]) opening.catch(() => undefined);
  return { directory, postgres, wal };
}
