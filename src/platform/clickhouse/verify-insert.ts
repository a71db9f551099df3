import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ClickHouseClient } from '@clickhouse/client';
import { unavailable } from './unavailable.ts';

/** The directory of a part that one insert wrote: `<partition>_<block>_<block>_<level>`. */
interface Part {
  name: string;
  path: string;
  block: number;
}

/** Partition, first block, last block, followed by level and mutation. Names of temporary directories have more words. */
const partName = /^[^_]+_(\d+)_(\d+)_\d+(?:_\d+)?$/;

/**
 * Runs inserts into the embedded engine and verifies what they wrote. chDB 3.4.0 answers an insert as done although a write failed during it (ADR 0018): a file of
 * the new part is then short or empty, and the part is unreadable at the latest after a restart.
 */
export class InsertVerifier {
  /** The highest verified block number, by table. */
  readonly #seen = new Map<string, number>();
  /** The directory of a table's parts, by table. */
  readonly #directories = new Map<string, string>();

  /**
   * Runs an insert and verifies the parts that it created.
   *
   * Errors: that of the insert; `ServiceError('unavailable')` when a part is damaged or missing. A damaged part is dropped, so that reads do not fail until the insert is repeated.
   *
   * @param table no other insert into it may run concurrently
   * @param mayBeEmpty whether an insert may write no rows
   */
  async run(client: ClickHouseClient, table: string, insert: () => Promise<void>, mayBeEmpty = false): Promise<void> {
    const directory = await this.#directoryOf(client, table);
    const before = this.#seen.get(table) ?? lastBlock(await readdir(directory));
    try {
      await insert();
    } finally {
      this.#seen.set(table, before);
    }
    const parts = newParts(directory, await readdir(directory), before);
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

  async #directoryOf(client: ClickHouseClient, table: string): Promise<string> {
    const known = this.#directories.get(table);
    if (known !== undefined) return known;
    const [row] = await rows<{ path: string }>(
      client,
      `SELECT data_paths[1] AS path FROM system.tables WHERE database = currentDatabase() AND name = '${table}'`,
    );
    if (!row) throw new Error(`there is no table ${table}`);
    this.#directories.set(table, row.path);
    return row.path;
  }
}

function lastBlock(names: readonly string[]): number {
  return names.reduce((last, name) => Math.max(last, Number(partName.exec(name)?.[2] ?? 0)), 0);
}

/**
 * Parts of one block, as inserts create them. Reads the directory, since `system.parts` takes 10 ms. A merge reads its source parts completely; their
 * directories stay for minutes.
 */
function newParts(directory: string, names: readonly string[], after: number): Part[] {
  return names.flatMap((name) => {
    const [, first, last] = partName.exec(name) ?? [];
    const block = Number(first);
    return first !== undefined && first === last && block > after ? [{ name, path: join(directory, name), block }] : [];
  });
}

/** Why a part is damaged; null if it is intact. */
async function damageOf(client: ClickHouseClient, table: string, { name, path }: Part): Promise<string | null> {
  // CHECK TABLE does not read all of these files; none of them is ever empty.
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
