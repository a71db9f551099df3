import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ClickHouseClient } from '@clickhouse/client';
import { unavailable } from './unavailable.ts';

/** A part's directory: `<partition>_<first>_<last>_<level>[_<mutation>]`. Inserts, and mutations, take numbers of blocks from one sequence of the table. */
interface Part {
  name: string;
  partition: string;
  first: number;
  last: number;
  /** Number of merges. */
  level: number;
  /** Number of the block of its last mutation; 0 without one. */
  mutation: number;
}

/** Names of temporary directories have more words. */
const partName = /^([^_]+)_(\d+)_(\d+)_(\d+)(?:_(\d+))?$/;

/**
 * Runs inserts into the embedded engine and verifies what they wrote. chDB 3.4.0 answers an insert as done although a write failed during it (ADR 0018): a file of
 * the new part is then short or empty, and the part is unreadable at the latest after a restart.
 */
export class InsertVerifier {
  /** The highest verified block number, by table. */
  readonly #seen = new Map<string, number>();
  /** The directory of a table's parts, by table. */
  readonly #directories = new Map<string, string>();
  /** The end of the last insert, by table. */
  readonly #turns = new Map<string, Promise<unknown>>();

  /**
   * Runs an insert and verifies the parts that it created. Inserts into one table run one after another: the order of blocks determines which of them created a
   * part, and a part that another insert is about to commit cannot be checked.
   *
   * Errors: that of the insert; `ServiceError('unavailable')` when a part is damaged or missing. A damaged part is dropped, so that reads do not fail until the insert is repeated.
   *
   * @param mayBeEmpty whether an insert may write no rows
   */
  run(client: ClickHouseClient, table: string, insert: () => Promise<void>, mayBeEmpty = false): Promise<void> {
    const before = this.#turns.get(table) ?? Promise.resolve();
    const turn = before.then(() => this.#run(client, table, insert, mayBeEmpty));
    this.#turns.set(
      table,
      turn.catch(() => undefined),
    );
    return turn;
  }

  async #run(client: ClickHouseClient, table: string, insert: () => Promise<void>, mayBeEmpty: boolean): Promise<void> {
    const directory = await this.#directoryOf(client, table);
    const before = this.#seen.get(table) ?? lastBlock(await listParts(directory));
    try {
      await insert();
    } finally {
      this.#seen.set(table, before);
    }
    const made = (await listParts(directory)).filter(({ last }) => last > before);
    if (made.length === 0) {
      if (mayBeEmpty) return;
      throw unavailable(new Error(`the insert into ${table} left no part`));
    }
    const damages: string[] = [];
    for (const part of insertedParts(made)) {
      const damage = await damageOf(client, table, directory, part);
      if (damage === null) continue;
      damages.push(`${part.name}: ${damage}`);
      await client.command({ query: `ALTER TABLE ${table} DROP PART '${part.name}'` }).catch(() => undefined);
    }
    this.#seen.set(table, lastBlock(made));
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

const lastBlock = (parts: readonly Part[]) => parts.reduce((highest, { last }) => Math.max(highest, last), 0);

/** The parts of a table, by their directories, since `system.parts` takes 10 ms. */
async function listParts(directory: string): Promise<Part[]> {
  return (await readdir(directory)).flatMap((name) => {
    const [, partition, first, last, level, mutation] = partName.exec(name) ?? [];
    if (partition === undefined) return [];
    return [{ name, partition, first: Number(first), last: Number(last), level: Number(level), mutation: Number(mutation ?? 0) }];
  });
}

/**
 * The parts as inserts wrote them: of each block the part of the lowest level (1 where rows of one insert replaced each other) and mutation. What merges and
 * mutations make of it may stand beside it already, and is not known to the engine until it is committed. They read their source parts completely, so that a
 * block that only theirs hold was whole; the directories of source parts stay for minutes.
 */
function insertedParts(parts: readonly Part[]): Part[] {
  const byBlock = new Map<string, Part>();
  for (const part of parts.filter(({ first, last }) => first === last)) {
    const block = `${part.partition}_${part.first}`;
    const lowest = byBlock.get(block);
    if (!lowest || isLater(lowest, part)) byBlock.set(block, part);
  }
  return [...byBlock.values()];
}

/** Whether `part` was made of `source`, and perhaps of others. */
const isMadeOf = (part: Part, source: Part) =>
  part.partition === source.partition && part.first <= source.first && part.last >= source.last && isLater(part, source);

const isLater = (part: Part, than: Part) =>
  part.level > than.level || (part.level === than.level && part.mutation > than.mutation);

/** Why a part is damaged; null if it is intact, or was merged and removed meanwhile. */
async function damageOf(client: ClickHouseClient, table: string, directory: string, part: Part): Promise<string | null> {
  try {
    const path = join(directory, part.name);
    // CHECK TABLE does not read all of these files; none of them is ever empty.
    for (const file of await readdir(path)) {
      if (/\.(?:txt|json)$/.test(file) && (await stat(join(path, file))).size === 0) return `${file} is empty`;
    }
    const checks = await rows<{ is_passed: number; message: string }>(
      client,
      `CHECK TABLE ${table} PART '${part.name}' SETTINGS check_query_single_value_result = 0`,
    );
    return checks.find((check) => check.is_passed === 0)?.message ?? null;
  } catch (error) {
    if (!isGone(error)) throw error;
    return (await listParts(directory)).some((other) => isMadeOf(other, part)) ? null : 'it is missing';
  }
}

/** Whether a check failed because the part, or its directory, is not there. */
const isGone = (error: unknown) =>
  error instanceof Error && (('code' in error && error.code === 'ENOENT') || error.message.includes('No such data part'));

async function rows<T>(client: ClickHouseClient, query: string): Promise<T[]> {
  const result = await client.query({ query, format: 'JSONEachRow' });
  return result.json<T>();
}
