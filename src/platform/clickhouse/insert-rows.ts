import { randomUUID } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { ClickHouseClient } from '@clickhouse/client';

/** Column names with their types, in the order in which a row's bytes hold them. */
export type RowLayout = ReadonlyArray<readonly [column: string, type: string]>;

/** Rows in ClickHouse's RowBinary format, for one table. */
export interface InsertRows {
  table: string;
  layout: RowLayout;
  /** The rows' bytes; several pieces are taken one after the other. */
  bytes: readonly Uint8Array[];
  /** The engine takes a block with the same token once (`insert_deduplication_token`). */
  token: string;
}

export type RowsInserter = (client: ClickHouseClient, rows: InsertRows) => Promise<void>;

/** A whole batch must be one block, or its token would stand for several. */
const oneBlock = {
  max_insert_block_size: '100000000',
  min_insert_block_size_rows: '100000000',
  min_insert_block_size_bytes: '0',
  max_insert_threads: '1',
  max_threads: 1,
  async_insert: 0,
} as const;

/** The embedded engine reads the rows from a file: measured, its quickest way in (architecture, "Inserts"). */
export function insertFromFile(temporaryDirectory: string): RowsInserter {
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
      await client.command({
        query: `INSERT INTO ${rows.table} (${columns}) SELECT * FROM file(${quoted(path)}, 'RowBinary', ${quoted(structure)})`,
        clickhouse_settings: { ...oneBlock, insert_deduplication_token: rows.token },
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

/** Over HTTP the same bytes are the request's body. */
export const insertOverHttp: RowsInserter = async (client, rows) => {
  const columns = rows.layout.map(([column]) => column).join(', ');
  const result = await client.exec({
    query: `INSERT INTO ${rows.table} (${columns}) FORMAT RowBinary`,
    values: Readable.from(rows.bytes, { objectMode: false }),
    clickhouse_settings: {
      ...oneBlock,
      insert_deduplication_token: rows.token,
      distributed_foreground_insert: 1,
    },
  });
  // To its end: a connection that breaks here would otherwise be an error that nobody handles, which ends the process.
  await finished(result.stream.resume());
};

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
