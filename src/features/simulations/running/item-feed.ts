import { sql } from 'kysely';
import type { Database } from '../../../platform/postgres/index.ts';

/** An item that has not ended. Contents are JSON texts. */
export interface PendingItem {
  place: number;
  repetition: number;
  datasetItemId: string;
  input: string;
  expectedOutput: string | null;
  metadata: string;
  /** The answer that is recorded already; null: the item has to be sent. */
  answer: { output: string; latencyMs: number | null; costUsd: number | null } | null;
}

interface Row {
  place: number;
  repetition: number;
  dataset_item_id: string;
  input: string;
  expected_output: string | null;
  metadata: string;
  answered: boolean;
  output: string | null;
  latency_ms: number | null;
  cost_usd: number | null;
}

/** Items, and bytes of their contents, read at once. */
const chunkItems = 500;
const chunkBytes = 8_000_000;
/** Items left at which the next ones are read. */
const readAheadBelow = 250;

/** Reads the items of a run that have not ended, each once, in the order of the dataset. */
export class ItemFeed {
  readonly #db: Database;
  readonly #runId: string;
  #items: PendingItem[] = [];
  #last = { place: -1, repetition: 0 };
  #ended = false;
  #reading: Promise<void> | null = null;

  constructor(db: Database, runId: string) {
    this.#db = db;
    this.#runId = runId;
  }

  /** The next item; null when there are no more. Errors: of the database. */
  async next(): Promise<PendingItem | null> {
    for (;;) {
      const item = this.#items.shift();
      if (item) {
        // A failure is thrown when the items are needed.
        if (this.#items.length < readAheadBelow && !this.#ended) this.#read().catch(() => undefined);
        return item;
      }
      if (this.#ended) return null;
      await this.#read();
    }
  }

  /** Returns no more items. */
  end(): void {
    this.#ended = true;
    this.#items = [];
  }

  #read(): Promise<void> {
    this.#reading ??= this.#readChunk().finally(() => {
      this.#reading = null;
    });
    return this.#reading;
  }

  async #readChunk(): Promise<void> {
    const { place, repetition } = this.#last;
    const { rows } = await sql<Row>`
      SELECT * FROM (
        SELECT item.place, item.repetition, item.dataset_item_id, input.input, input.expected_output, input.metadata,
          item.answered, item.output, item.latency_ms, item.cost_usd, row_number() OVER one_after_another AS number,
          sum(octet_length(input.input) + coalesce(octet_length(input.expected_output), 0) + octet_length(input.metadata)
            + coalesce(octet_length(item.output), 0)) OVER one_after_another AS bytes
        FROM (
          SELECT * FROM simulation_items
          WHERE batch_run_id = ${this.#runId}::uuid AND status = 'pending' AND (place, repetition) > (${place}::bigint, ${repetition}::int)
          ORDER BY place, repetition LIMIT ${chunkItems}
        ) AS item JOIN simulation_inputs AS input ON input.batch_run_id = item.batch_run_id AND input.place = item.place
        WINDOW one_after_another AS (ORDER BY item.place, item.repetition)
      ) AS read WHERE number = 1 OR bytes < ${chunkBytes}
      ORDER BY place, repetition`.execute(this.#db);
    if (this.#ended) return;
    const last = rows.at(-1);
    if (!last) this.#ended = true;
    else this.#last = { place: last.place, repetition: last.repetition };
    this.#items.push(...rows.map(toItem));
  }
}

function toItem(row: Row): PendingItem {
  return {
    place: row.place,
    repetition: row.repetition,
    datasetItemId: row.dataset_item_id,
    input: row.input,
    expectedOutput: row.expected_output,
    metadata: row.metadata,
    answer: row.answered ? { output: row.output ?? 'null', latencyMs: row.latency_ms, costUsd: row.cost_usd } : null,
  };
}
