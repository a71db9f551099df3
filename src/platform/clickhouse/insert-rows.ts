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

/** Rows in ClickHouse's RowBinary format, for one table. */
export interface InsertRows {
  table: string;
  layout: RowLayout;
  /** The rows' bytes, in chunks. */
  bytes: readonly Uint8Array[];
  /** Identifies the block: a cluster deduplicates by it, a single node does not ({@link onSingleNode}). */
  token: string;
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
      const columns = rows.layout.map(([column]) => column).join(', ');
      const structure = rows.layout.map(([column, type]) => `${column} ${type}`).join(', ');
      await verifier.run(client, rows.table, async () => {
        await client.command({
          query: `INSERT INTO ${rows.table} (${columns}) SELECT * FROM file(${quoted(path)}, 'RowBinary', ${quoted(structure)})`,
          clickhouse_settings: { ...oneBlock, ...onSingleNode },
        });
      });
    } finally {
      await rm(path, { force: true });
    }
  };
}

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
    const columns = rows.layout.map(([column]) => column).join(', ');
    const result = await client.exec({
      query: `INSERT INTO ${rows.table} (${columns}) FORMAT RowBinary`,
      values: Readable.from(rows.bytes, { objectMode: false }),
      clickhouse_settings: {
        ...oneBlock,
        ...(cluster === null ? onSingleNode : { insert_deduplication_token: rows.token }),
        distributed_foreground_insert: 1,
      },
    });
    // Read to the end: a connection error would otherwise be unhandled and end the process.
    await finished(result.stream.resume());
  };
