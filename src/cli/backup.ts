import { join, resolve } from 'node:path';
import { Command } from 'commander';
import { configOfProcess } from '../config.ts';
import type { Config } from '../config.ts';
import { makeBackup } from '../features/backup/index.ts';
import type { Manifest } from '../features/backup/index.ts';

/** `spanwise backup`: a consistent copy of a running service's data, without stopping it. */
export function backupCommand(): Command {
  return new Command('backup')
    .description('Back up the running service of SPANWISE_DATA_DIR; ingestion continues')
    .argument('<directory>', 'a new or empty directory, outside the data directory')
    .action(async (given: string, _flags: object, command: Command) => {
      const config = configOfProcess();
      const { dataDirectory } = config;
      const into = resolve(given);
      if (`${into}/`.startsWith(`${dataDirectory}/`))
        command.error('spanwise: give a directory outside the data directory, on another disk at best');
      const stop = new AbortController();
      // A second signal ends the process at once.
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
      const manifest = await makeBackup({
        socket: join(dataDirectory, 'control.sock'),
        dataDirectory,
        into,
        version: command.parent?.version() ?? '',
        nowMs: Date.now(),
        signal: stop.signal,
      });
      for (const line of backupReport(manifest, into, config)) console.log(line);
    });
}

/** What the command prints about a backup. @param config names the ClickHouse database that an operator has to back up */
export function backupReport(
  { files, clickhouse, stores, secretKey }: Pick<Manifest, 'files' | 'clickhouse' | 'stores' | 'secretKey'>,
  into: string,
  { clickhouseUrl, clickhouseCluster }: Pick<Config, 'clickhouseUrl' | 'clickhouseCluster'>,
): string[] {
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  const size = `${files.length} files, ${(bytes / 1024 ** 2).toFixed(1)} MiB`;
  const key =
    secretKey === 'included'
      ? `${into} holds the secret key (secret.key) and all data unencrypted: keep it as safe as the service itself.`
      : `The secret key is not in it: keep SPANWISE_SECRET_KEY, without which stored credentials of model connections cannot be read. All data is unencrypted.`;
  if (stores === 'embedded') {
    const spans = clickhouse.find(({ name }) => name === 'spans')?.rows ?? 0;
    return [`backed up to ${into}: ${size}, ${spans} rows of spans`, key, `Restore it with: spanwise restore ${into}`];
  }
  // The command may run without the settings of the service: it needs its data directory alone.
  const database = clickhouseUrl === null ? '<that of CLICKHOUSE_URL>' : new URL(clickhouseUrl).pathname.slice(1) || 'default';
  const cluster = clickhouseCluster === null ? '' : ` ON CLUSTER ${clickhouseCluster}`;
  return [
    `backed up the write-ahead log of this replica to ${into}: ${size}`,
    key,
    'PostgreSQL and ClickHouse are servers, and NOT in this backup. Back them up with their own tools, PostgreSQL first:',
    '  pg_dump --format=custom --file=spanwise.dump "$DATABASE_URL"',
    `  clickhouse-client --query "BACKUP DATABASE ${database}${cluster} TO Disk('backups', 'spanwise.zip')"`,
    'and the log of every other replica with this command.',
  ];
}
