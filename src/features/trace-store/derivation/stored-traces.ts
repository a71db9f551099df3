import type { ClickHouse } from '../../../platform/clickhouse/index.ts';
import type { ScoreHeader } from '../tables/scores.ts';
import { idHash, IdBloomFilter } from './id-bloom-filter.ts';
import type { IdHash } from './id-bloom-filter.ts';
import { RecentTraces } from './recent-traces.ts';
import { storedScores, storedScoresById, storedSpans, storedTags, storedTraceIds } from './stored-headers.ts';
import { noTagChanges } from '../tables/trace-tags.ts';
import type { StoredTrace } from './stored-trace.ts';

/** Queries for stored rows. */
export type StoredRows = Pick<ClickHouse, 'mode' | 'forTenant' | 'systemQuery'>;

/**
 * Looks up the stored spans and scores of traces, as rarely as possible: most traces of a batch are new, and most of the others have just
 * been written. A look-up by random ids reads nearly every granule of the table; in a large table it costs more than the rest of ingestion.
 *
 * With the embedded engine, which only this process writes to, a Bloom filter has all stored ids: they are added before they are written, and
 * {@link StoredTraces.load} adds those of earlier processes. Until it has, and over HTTP, where other replicas write too, every id is looked up. Only ids
 * that have stored rows cost more than a look at one column.
 */
export class StoredTraces {
  readonly #clickhouse: StoredRows;
  readonly #sole: boolean;
  readonly #known = new IdBloomFilter();
  #loaded = false;
  readonly #recent = new RecentTraces();

  constructor(clickhouse: StoredRows) {
    this.#clickhouse = clickhouse;
    this.#sole = clickhouse.mode === 'embedded';
  }

  /** Loads the ids of stored traces and scores, one month at a time to bound the memory of the engine and of this process. */
  async load(): Promise<void> {
    if (!this.#sole) return;
    for (const { table, id, partition } of await this.#clickhouse.systemQuery<{ table: string; id: string; partition: string }>(
      `SELECT DISTINCT table, if(table = 'traces', 'trace_id', id) AS id, partition_id AS partition FROM system.parts
       ARRAY JOIN ['trace_id', 'score_id'] AS id
       WHERE database = currentDatabase() AND active AND table IN ('traces', 'scores')`,
    )) {
      const rows = await this.#clickhouse.systemQuery<{ hashes: string }>(
        `SELECT arrayStringConcat(groupArray(leftPad(hex(halfMD5(concat(toString(project_id), ${id}))), 16, '0'))) AS hashes
         FROM ${table} WHERE _partition_id = {partition:String} GROUP BY intDiv(rowNumberInAllBlocks(), 65536) SETTINGS max_threads = 1`,
        { partition },
      );
      for (const { hashes } of rows) this.#addAll(Buffer.from(hashes, 'hex'));
    }
    this.#loaded = true;
  }

  /**
   * The given traces as stored, without those that are not stored. Adds all of them to the filter, since they are about to be written;
   * if they are not, the cost is one look-up later.
   */
  async traces(projectId: string, traceIds: Iterable<string>): Promise<Map<string, StoredTrace>> {
    const found = new Map<string, StoredTrace>();
    const asked: string[] = [];
    for (const traceId of traceIds) {
      const recent = this.#recent.get(projectId, traceId);
      if (recent) found.set(traceId, recent);
      else if (this.#mayHoldAndNote(idHash(projectId, traceId))) asked.push(traceId);
    }
    if (asked.length === 0) return found;
    // Of new ids one in a hundred is asked for, so that most batches ask for some.
    const stored = await storedTraceIds(this.#clickhouse, projectId, asked);
    if (stored.length === 0) return found;
    const [spans, scores, tags] = await Promise.all([
      storedSpans(this.#clickhouse, projectId, stored),
      storedScores(this.#clickhouse, projectId, stored),
      storedTags(this.#clickhouse, projectId, stored),
    ]);
    for (const traceId of stored) {
      const trace = {
        projectId,
        traceId,
        spans: spans.get(traceId) ?? [],
        scores: scores.get(traceId) ?? [],
        tags: tags.get(traceId) ?? noTagChanges,
      };
      if (trace.spans.length + trace.scores.length > 0) found.set(traceId, trace);
    }
    return found;
  }

  /** The stored scores with these ids, on any target; adds all ids to the filter, as {@link StoredTraces.traces} does. */
  async scoresById(projectId: string, scoreIds: Iterable<string>): Promise<ScoreHeader[]> {
    const asked = [...scoreIds].filter((scoreId) => this.#mayHoldAndNote(idHash(projectId, scoreId)));
    return asked.length === 0 ? [] : storedScoresById(this.#clickhouse, projectId, asked);
  }

  /** Caches traces as they are after a batch. */
  keep(traces: readonly StoredTrace[]): void {
    if (this.#sole) for (const trace of traces) this.#recent.keep(trace);
  }

  /** Removes a trace, or with null all traces of the project, from the cache, so that they are looked up the next time. */
  forget(projectId: string, traceId: string | null): void {
    this.#recent.forget(projectId, traceId);
  }

  #mayHoldAndNote(id: IdHash): boolean {
    if (!this.#sole) return true;
    const mayHold = !this.#loaded || this.#known.mayHold(id);
    // Already present; skip the insert.
    if (!this.#loaded || !mayHold) this.#known.add(id);
    return mayHold;
  }

  #addAll(hashes: Buffer): void {
    for (let at = 0; at + 8 <= hashes.length; at += 8) this.#known.add([hashes.readUInt32BE(at), hashes.readUInt32BE(at + 4)]);
  }
}
