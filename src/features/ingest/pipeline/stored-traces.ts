import type { ClickHouse } from '../../../platform/clickhouse/index.ts';
import { idHash, KnownIds } from './known-ids.ts';
import type { IdHash } from './known-ids.ts';
import { RecentTraces } from './recent-traces.ts';
import type { ScoreOutline } from './score-row.ts';
import type { SpanOutline } from './span-row.ts';
import { storedScores, storedScoresById, storedSpans } from './stored-outlines.ts';

/** What is stored of one trace, each span and score in its latest version. */
export interface StoredTrace {
  projectId: string;
  traceId: string;
  spans: readonly SpanOutline[];
  scores: readonly ScoreOutline[];
}

/** How stored rows are asked for. */
export type StoredRows = Pick<ClickHouse, 'mode' | 'forTenant' | 'systemQuery'>;

/**
 * What ClickHouse holds of traces, asked for as seldom as possible: most traces of a batch are new, and of most of the others
 * the earlier spans came a moment ago. A look-up by random ids reads nearly every granule of the table, so that it costs more than all
 * the rest of ingestion once the table is large.
 *
 * An engine that only this process writes to (the embedded one) is known: ids are noted before they are written, and those of
 * earlier processes are read by {@link StoredTraces.load}. Until then, and over HTTP, where other replicas write too, everything is looked up.
 */
export class StoredTraces {
  readonly #clickhouse: StoredRows;
  readonly #sole: boolean;
  readonly #known = new KnownIds();
  #loaded = false;
  readonly #recent = new RecentTraces();

  constructor(clickhouse: StoredRows) {
    this.#clickhouse = clickhouse;
    this.#sole = clickhouse.mode === 'embedded';
  }

  /** Reads which traces and scores are stored; a month at a time, so that neither the engine nor this process holds much at once. */
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
   * The given traces as stored, those of which nothing is stored left out; notes them all, since they are about to be written.
   * A note that comes to nothing costs a look-up later.
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
    const [spans, scores] = await Promise.all([
      storedSpans(this.#clickhouse, projectId, asked),
      storedScores(this.#clickhouse, projectId, asked),
    ]);
    for (const traceId of asked) {
      const trace = { projectId, traceId, spans: spans.get(traceId) ?? [], scores: scores.get(traceId) ?? [] };
      if (trace.spans.length + trace.scores.length > 0) found.set(traceId, trace);
    }
    return found;
  }

  /** The stored scores that have one of these ids, whatever they are about; notes them all, as {@link StoredTraces.traces} does. */
  async scoresById(projectId: string, scoreIds: Iterable<string>): Promise<ScoreOutline[]> {
    const asked = [...scoreIds].filter((scoreId) => this.#mayHoldAndNote(idHash(projectId, scoreId)));
    return asked.length === 0 ? [] : storedScoresById(this.#clickhouse, projectId, asked);
  }

  /** Keeps traces as a batch leaves them. */
  keep(traces: readonly StoredTrace[]): void {
    if (this.#sole) for (const trace of traces) this.#recent.keep(trace);
  }

  /** Has a trace looked up the next time. */
  forget(projectId: string, traceId: string): void {
    this.#recent.forget(projectId, traceId);
  }

  #mayHoldAndNote(id: IdHash): boolean {
    if (!this.#sole) return true;
    const mayHold = !this.#loaded || this.#known.mayHold(id);
    // What looks known already needs no bits of its own.
    if (!this.#loaded || !mayHold) this.#known.add(id);
    return mayHold;
  }

  #addAll(hashes: Buffer): void {
    for (let at = 0; at + 8 <= hashes.length; at += 8) this.#known.add([hashes.readUInt32BE(at), hashes.readUInt32BE(at + 4)]);
  }
}
