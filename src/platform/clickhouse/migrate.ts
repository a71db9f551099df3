import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ClickHouse } from './clickhouse.ts';

interface Applied {
  number: number;
  name: string;
  sha256: string;
}

/**
 * Applies the numbered SQL files of `directory` (`0001_name.sql`, append-only) that are not applied yet, in order. The files are templates for a
 * single node and a cluster, see {@link expandTemplate}. Statements are repeatable (`IF NOT EXISTS`), since ClickHouse has no transactional DDL. The
 * caller holds a lock against concurrent migrations.
 *
 * Errors: an applied file that has changed or is missing, or a statement that the engine rejects.
 */
export async function migrateClickHouse(clickhouse: ClickHouse, directory: string): Promise<void> {
  await clickhouse.command(
    expandTemplate(
      `{{create_table('schema_migrations', 'rand()')}} (number UInt32, name String, sha256 String, applied_at DateTime DEFAULT now())
       ENGINE = {{merge_tree}} ORDER BY number SETTINGS {{durable}}`,
      clickhouse.cluster,
    )[0] ?? '',
  );
  const ledger = clickhouse.cluster === null ? 'schema_migrations' : 'schema_migrations_local';
  // Read from every shard: the node that recorded a migration may not be the one that answers.
  const applied = await clickhouse.systemQuery<Applied>('SELECT number, name, sha256 FROM schema_migrations ORDER BY number');
  const files = (await readdir(directory)).filter((file) => /^\d{4}_\w+\.sql$/.test(file)).toSorted();
  for (const file of files) {
    const number = Number(file.slice(0, 4));
    const text = await readFile(join(directory, file), 'utf8');
    const sha256 = createHash('sha256').update(text).digest('hex');
    const earlier = applied.find((migration) => migration.number === number);
    if (earlier) {
      if (earlier.sha256 !== sha256) {
        throw new Error(
          `ClickHouse migration ${file} was changed after it had been applied; restore it and add a new file instead`,
        );
      }
      continue;
    }
    for (const statement of expandTemplate(text, clickhouse.cluster)) await clickhouse.command(statement);
    await clickhouse.command(
      `INSERT INTO ${ledger} (number, name, sha256) VALUES ({number:UInt32}, {name:String}, {sha256:String})`,
      {
        number,
        name: file,
        sha256,
      },
    );
  }
}

/**
 * The statements of a migration's text for a single node (`cluster` null) or a cluster.
 *
 * - `{{create_table('t', 'sharding key')}}`: on a cluster, `t_local` on every shard and a Distributed table `t` over it.
 * - `{{alter_table('t')}}`: changes the table itself, on a cluster `t_local` on every node.
 * - `{{add_column('t')}} name Type`: adds a column to the table, on a cluster also to the Distributed one.
 * - `{{replacing('version, is_deleted')}}`, `{{merge_tree}}`: the engine, replicated on a cluster.
 * - `{{durable}}`: settings under which an acknowledged insert survives a power cut and, on a cluster, blocks are deduplicated by token.
 */
export function expandTemplate(text: string, cluster: string | null): string[] {
  return text
    .replaceAll(/--[^\n]*/g, '')
    .split(';')
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '')
    .flatMap((statement) => expandStatement(statement, cluster));
}

function expandStatement(statement: string, cluster: string | null): string[] {
  const added = /^\{\{add_column\('(\w+)'\)\}\} (.+)$/.exec(statement);
  if (added) return addColumn(added[1] ?? '', added[2] ?? '', cluster);
  const created = /\{\{create_table\('(\w+)', '([^']+)'\)\}\}/.exec(statement);
  const onCluster = cluster === null ? '' : ` ON CLUSTER '${cluster}'`;
  const local = cluster === null ? '' : '_local';
  const replicated = (args: string) => {
    const separator = args === '' ? '' : ', ';
    return `('/clickhouse/tables/{shard}/{database}/{table}', '{replica}'${separator}${args})`;
  };
  const expanded = statement
    .replaceAll(
      /\{\{create_table\('(\w+)', '[^']+'\)\}\}/g,
      (_, table: string) => `CREATE TABLE IF NOT EXISTS ${table}${local}${onCluster}`,
    )
    .replaceAll(/\{\{alter_table\('(\w+)'\)\}\}/g, (_, table: string) => `ALTER TABLE ${table}${local}${onCluster}`)
    .replaceAll(/\{\{replacing\('([^']*)'\)\}\}/g, (_, args: string) =>
      cluster === null ? `ReplacingMergeTree(${args})` : `ReplicatedReplacingMergeTree${replicated(args)}`,
    )
    .replaceAll('{{merge_tree}}', cluster === null ? 'MergeTree' : `ReplicatedMergeTree${replicated('')}`)
    .replaceAll(
      '{{durable}}',
      cluster === null
        ? 'fsync_after_insert = 1, fsync_part_directory = 1'
        : 'fsync_after_insert = 1, fsync_part_directory = 1, replicated_deduplication_window = 10000',
    );
  if (!created || cluster === null) return [expanded];
  const [, table, sharding] = created;
  return [
    expanded,
    `CREATE TABLE IF NOT EXISTS ${table}${onCluster} AS ${table}_local ENGINE = Distributed('${cluster}', currentDatabase(), '${table}_local', ${sharding})`,
  ];
}

function addColumn(table: string, column: string, cluster: string | null): string[] {
  const add = `ADD COLUMN IF NOT EXISTS ${column}`;
  if (cluster === null) return [`ALTER TABLE ${table} ${add}`];
  // The Distributed table last, so that a query through it finds the column on every shard.
  return [`${table}_local`, table].map((name) => `ALTER TABLE ${name} ON CLUSTER '${cluster}' ${add}`);
}
