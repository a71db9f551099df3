import { sql } from 'kysely';
import type { ClickHouse } from '../../../platform/clickhouse/index.ts';
import type { Database } from '../../../platform/postgres/index.ts';
import { addWords } from './add-words.ts';

interface SearchTables {
  search_backfills: { project_id: string; after_trace_id: string; total: number | null; copied: number };
}

declare module '../../../platform/postgres/tables.ts' {
  interface Tables extends SearchTables {}
}

/** How far the texts of a project's earlier spans are copied, in rows of spans. */
export interface SearchProgress {
  copied: number;
  /** null before the first portion. */
  total: number | null;
}

/** What a search may use. */
export interface SearchPort {
  /** Whether the server has an index of words: without one the texts are read in the order of time. */
  readonly hasWords: boolean;
  /** Whether every span of the project has its texts in `span_texts`. */
  isWhole(projectId: string): Promise<boolean>;
}

/** Maximum projects that are remembered as whole. */
const maxRemembered = 10_000;

/** Table `span_texts`, and how far it is filled (ADR 0031). */
export class SearchIndex implements SearchPort {
  readonly #clickhouse: Pick<ClickHouse, 'cluster' | 'command' | 'systemQuery'>;
  readonly #db: Database;
  readonly #whole = new Set<string>();
  #hasWords = false;

  constructor(clickhouse: Pick<ClickHouse, 'cluster' | 'command' | 'systemQuery'>, db: Database) {
    this.#clickhouse = clickhouse;
    this.#db = db;
  }

  get hasWords(): boolean {
    return this.#hasWords;
  }

  /** Adds the index of words; see {@link addWords}. */
  async addWords(): Promise<void> {
    await addWords(this.#clickhouse);
    this.#hasWords = true;
  }

  async isWhole(projectId: string): Promise<boolean> {
    if (this.#whole.has(projectId)) return true;
    if ((await this.progress(projectId)) !== null) return false;
    if (this.#whole.size >= maxRemembered) this.#whole.clear();
    // Final: later spans are stored with their texts.
    this.#whole.add(projectId);
    return true;
  }

  /** How far the texts of a project are copied; null when all are. */
  async progress(projectId: string): Promise<SearchProgress | null> {
    const { rows } = await sql<SearchProgress>`
      SELECT copied, total FROM search_backfills WHERE project_id = ${projectId}`.execute(this.#db);
    return rows[0] ?? null;
  }
}
