import { randomUUID } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { ClickHouseClient } from '@clickhouse/client';
import type { InsertVerifier } from './verify-insert.ts';
import { quoted } from './with-literals.ts';

/** Column names with their types, in the order in which a row's bytes hold them. */
export type RowLayout = ReadonlyArray<readonly [column: string, type: string]>;

/** A table that gets columns of the same name of rows of another. */
export interface RowsCopy {
  table: string;
  columns: readonly string[];
}

/** Rows in ClickHouse's RowBinary format, for one table. */
export interface InsertRows {
  table: string;
  layout: RowLayout;
  /** The rows' bytes, in chunks. */
  bytes: readonly Uint8Array[];
  /** Identifies the block: a cluster deduplicates by it, a single node does not ({@link onSingleNode}). */
  token: string;
  /** Tables that get a part of each row, before the table itself does. A copy may be repeated, as the rows. */
  copies?: readonly RowsCopy[];
}

export type RowsInserter = (client: ClickHouseClient, rows: InsertRows) => Promise<void>;

/** A batch must be one block: the token stands for one. */
const oneBlock = {
  max_insert_block_size: '100000000',
  min_insert_block_size_rows: '100000000',
  min_insert_block_size_bytes: '0',
  max_insert_threads: '1',
  max_threads: 1,
  async_insert: 0,
} as const;

/**
 * A single node records a block's token before the block is on disk. If the write fails after that, it drops the retry as a duplicate (ADR 0011).
 * Deduplication is therefore off: tables replace repeated rows by version. A cluster records both atomically in ClickHouse Keeper.
 */
const onSingleNode = { insert_deduplicate: 0 } as const;

/** Passes the rows to the embedded engine in a file: the fastest way that was measured. */
export function insertFromFile(temporaryDirectory: string, verifier: InsertVerifier): RowsInserter {
  return async (client, rows) => {
    const path = join(temporaryDirectory, `${rows.table}-${randomUUID()}.rows`);
    const file = await open(path, 'wx', 0o600);
    try {
      try {
        for (const piece of rows.bytes) await writeWhole(file, piece);
      } finally {
        await file.close();
      }
      const source = `file(${quoted(path)}, 'RowBinary', ${quoted(structureOf(rows))})`;
      for (const { table, columns } of [...(rows.copies ?? []), allOf(rows)]) {
        const names = columns.join(', ');
        // Merges make the indexes of a copy: batches do not wait for them.
        const settings = table === rows.table ? '' : ' SETTINGS materialize_skip_indexes_on_insert = 0';
        await verifier.run(client, table, async () => {
          await client.command({
            query: `INSERT INTO ${table} (${names}) SELECT ${names} FROM ${source}${settings}`,
            clickhouse_settings: { ...oneBlock, ...onSingleNode },
          });
        });
      }
    } finally {
      await rm(path, { force: true });
    }
  };
}

const structureOf = ({ layout }: InsertRows) => layout.map(([column, type]) => `${column} ${type}`).join(', ');
const allOf = ({ table, layout }: InsertRows): RowsCopy => ({ table, columns: layout.map(([column]) => column) });

async function writeWhole(
  file: { write(data: Uint8Array): Promise<{ bytesWritten: number }> },
  piece: Uint8Array,
): Promise<void> {
  for (let rest = piece; rest.length > 0;) {
    const { bytesWritten } = await file.write(rest);
    rest = rest.subarray(bytesWritten);
  }
}

/** Over HTTP the same bytes are the request's body. `cluster`: its name, null for a single node. */
export const insertOverHttp =
  (cluster: string | null): RowsInserter =>
  async (client, rows) => {
    for (const copy of rows.copies ?? []) {
      const names = copy.columns.join(', ');
      const from = `SELECT ${names} FROM input(${quoted(structureOf(rows))})`;
      await insertBody(client, cluster, rows, `INSERT INTO ${copy.table} (${names}) ${from}`, `${rows.token}-${copy.table}`);
    }
    const names = allOf(rows).columns.join(', ');
    await insertBody(client, cluster, rows, `INSERT INTO ${rows.table} (${names})`, rows.token);
  };

async function insertBody(
  client: ClickHouseClient,
  cluster: string | null,
  { bytes }: InsertRows,
  statement: string,
  token: string,
): Promise<void> {
  const result = await client.exec({
    query: `${statement} FORMAT RowBinary`,
    values: Readable.from(bytes, { objectMode: false }),
    clickhouse_settings: {
      ...oneBlock,
      ...(cluster === null ? onSingleNode : { insert_deduplication_token: token }),
      distributed_foreground_insert: 1,
    },
  });
  // Read to the end: a connection error would otherwise be unhandled and end the process.
  await finished(result.stream.resume());
}
