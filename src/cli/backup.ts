import { join, resolve } from 'node:path';
import { Command } from 'commander';
import { configOfProcess } from '../config.ts';
import { makeBackup } from '../features/backup/index.ts';
import type { Manifest } from '../features/backup/index.ts';

/** `spanwise backup`: a consistent copy of a running service's data, without stopping it. */
export function backupCommand(): Command {
  return new Command('backup')
    .description('Back up the running service of SPANWISE_DATA_DIR; ingestion continues')
    .argument('<directory>', 'a new or empty directory, outside the data directory')
    .action(async (given: string, _flags: object, command: Command) => {
      const { dataDirectory } = configOfProcess();
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
      for (const line of report(manifest, into)) console.log(line);
    });
}

function report({ files, clickhouse, stores, secretKey }: Manifest, into: string): string[] {
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
  return [
    `backed up the write-ahead log of this replica to ${into}: ${size}`,
    key,
    'PostgreSQL and ClickHouse are servers, and NOT in this backup. Back them up with their own tools, PostgreSQL first:',
    '  pg_dump --format=custom --file=spanwise.dump "$DATABASE_URL"',
    "  clickhouse-client --query \"BACKUP DATABASE default TO Disk('backups', 'spanwise.zip')\"",
    'and the log of every other replica with this command.',
  ];
}
