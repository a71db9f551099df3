import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ClickHouseClient } from '@clickhouse/client';
import { unavailable } from './unavailable.ts';

interface Part {
  name: string;
  path: string;
  active: number;
  block: number;
}

/**
 * Runs inserts into the embedded engine and verifies what they wrote. chDB 3.4.0 answers an insert as done although a write failed during it (ADR 0018): a file of
 * the new part is then short or empty, and the part is unreadable at the latest after a restart.
 */
export class InsertVerifier {
  /** The highest block number that was looked at, by table. */
  readonly #seen = new Map<string, number>();

  /**
   * Runs an insert and verifies the parts that it made.
   *
   * Errors: that of the insert; `ServiceError('unavailable')` when a part is damaged or missing. A damaged part is dropped, so that reads do not fail until the insert is repeated.
   *
   * @param table no other insert into it may run meanwhile
   * @param mayBeEmpty whether an insert of no rows is no error
   */
  async run(client: ClickHouseClient, table: string, insert: () => Promise<void>, mayBeEmpty = false): Promise<void> {
    const before = this.#seen.get(table) ?? (await lastBlock(client, table));
    try {
      await insert();
    } finally {
      this.#seen.set(table, before);
    }
    const parts = await newParts(client, table, before);
    if (parts.length === 0) {
      if (mayBeEmpty) return;
      throw unavailable(new Error(`the insert into ${table} left no part`));
    }
    const damages: string[] = [];
    for (const part of parts) {
      const damage = await damageOf(client, table, part);
      if (damage === null) continue;
      damages.push(`${part.name}: ${damage}`);
      await client.command({ query: `ALTER TABLE ${table} DROP PART '${part.name}'` }).catch(() => undefined);
    }
    this.#seen.set(table, Math.max(...parts.map(({ block }) => block)));
    if (damages.length > 0) throw unavailable(new Error(`the insert into ${table} was not written whole: ${damages.join('; ')}`));
  }
}

async function lastBlock(client: ClickHouseClient, table: string): Promise<number> {
  const [row] = await rows<{ block: number }>(
    client,
    `SELECT max(max_block_number) AS block FROM system.parts WHERE database = currentDatabase() AND table = '${table}'`,
  );
  return row?.block ?? 0;
}

/** Parts of one block, as inserts leave them. One that has been merged meanwhile was read whole for it, and is not active any more. */
function newParts(client: ClickHouseClient, table: string, after: number): Promise<Part[]> {
  return rows<Part>(
    client,
    `SELECT name, path, active, max_block_number AS block FROM system.parts
     WHERE database = currentDatabase() AND table = '${table}' AND min_block_number = max_block_number AND min_block_number > ${after}`,
  );
}

/** What is wrong with a part; null for nothing. */
async function damageOf(client: ClickHouseClient, table: string, { name, path, active }: Part): Promise<string | null> {
  if (active === 0) return null;
  // CHECK does not look at all of these, and none of them is ever empty.
  for (const file of await readdir(path)) {
    if (/\.(?:txt|json)$/.test(file) && (await stat(join(path, file))).size === 0) return `${file} is empty`;
  }
  const checks = await rows<{ is_passed: number; message: string }>(
    client,
    `CHECK TABLE ${table} PART '${name}' SETTINGS check_query_single_value_result = 0`,
  );
  const failed = checks.find((check) => check.is_passed === 0);
  return failed ? failed.message : null;
}

async function rows<T>(client: ClickHouseClient, query: string): Promise<T[]> {
  const result = await client.query({ query, format: 'JSONEachRow' });
  return result.json<T>();
}
