import type { InsertRows } from '../../../platform/clickhouse/index.ts';
import { RowWriter } from '../../../platform/row-binary/index.ts';
import { TableRows } from '../../../platform/tables/index.ts';
import { applyPassThresholds } from '../../records/index.ts';
import { DerivedRows } from '../derivation/derived-rows.ts';
import { deriveProjectBatch } from '../derivation/project-batch.ts';
import type { AbandonedScore } from '../derivation/project-batch.ts';
import type { StoredTrace } from '../derivation/stored-trace.ts';
import { StoredTraces } from '../derivation/stored-traces.ts';
import type { StoredRows } from '../derivation/stored-traces.ts';
import { decodeLogRecord, firstVersionOf } from '../log/log-record.ts';
import type { LogRecord } from '../log/log-record.ts';
import { readRows, writeRows } from '../log/record-rows.ts';
import type { WrittenRows } from '../log/record-rows.ts';
import type { OtlpRequest, TouchedHour, WrittenSpans } from '../pipeline-port.ts';
import type { TouchedTraces } from '../reconciliation/trace-notes.ts';
import { spanTexts } from '../search/span-texts.ts';
import { scores } from '../tables/scores.ts';
import { spanHeaders } from '../tables/span-headers.ts';
import type { SpanHeader } from '../tables/spans.ts';
import { loggedTables } from '../tables/trace-tables.ts';
import { requestDecoder } from './decode-request.ts';
import type { RequestDecoder } from './decode-request.ts';
import { withoutDeleted } from './without-deleted.ts';

/** The rows of a batch of log records for ClickHouse. */
export interface BuiltBatch {
  /** The hours whose figures change. */
  hours: TouchedHour[];
  /** Rows of derived tables; inserted before `rows`. */
  derived: InsertRows[];
  /** Spans and scores. */
  rows: InsertRows[];
  /** The traces of the batch; empty where no other process writes to ClickHouse. */
  touched: TouchedTraces[];
  /** Records that could not be read: their index in the batch, and the reason. */
  unreadable: Array<{ index: number; reason: string }>;
  /** The spans of {@link BuildOptions.spansOfProjects}, by project. */
  spans: WrittenSpans[];
}

export interface BuildOptions {
  /** Identifies the batch in deduplication tokens, also after a restart: a cluster applies each of its inserts once. */
  token: string;
  /** Whether it is certain that nothing of the batch was written or deleted before. */
  fresh: boolean;
  /** Number of batches that were built and are neither written nor discarded. */
  unwritten: number;
  /** Minimum version of derived rows; 0 with a single writer. */
  minVersion: number;
  /** Projects whose spans are returned for span consumers, so that the records are not decoded again. */
  spansOfProjects: readonly string[];
}

/**
 * Builds batches one after the other, in this thread or a worker thread. A batch may be built while the previous one is being written: it is
 * derived as if that one were stored.
 */
export interface BatchBuilder {
  /**
   * @param records of a segment, in order
   */
  build(records: readonly Uint8Array[], options: BuildOptions): Promise<BuiltBatch>;
  /** Reports that the oldest unwritten batch is in ClickHouse. */
  written(): Promise<void>;
  /** Discards the unwritten batches, which may be stored in part or not at all. They will be built again. */
  givenUp(): Promise<void>;
  /** The readable spans of some projects in `records`. */
  spansOf(records: readonly Uint8Array[], projectIds: readonly string[]): Promise<WrittenSpans[]>;
  /**
   * Removes a trace, or with null all traces of the project, from the cache, so that they are looked up again: they were changed outside of
   * batches.
   */
  forget(projectId: string, traceId: string | null): Promise<void>;
}

interface ReadRecord extends WrittenRows {
  /** Index in the batch. */
  index: number;
  projectId: string;
  maxVersion: number;
  receivedMs: number;
}

/** The rows of one project in a batch cannot be derived. */
class UnderivableError extends Error {
  readonly projectId: string;

  constructor(projectId: string, cause: Error) {
    super(cause.message, { cause });
    this.projectId = projectId;
  }
}

/** Builds batches in this thread. */
export class LocalBatchBuilder implements BatchBuilder {
  readonly #source: StoredRows;
  readonly #stored: StoredTraces;
  readonly #decode: RequestDecoder;
  /** Whether other processes write to ClickHouse. */
  readonly #shared: boolean;
  /** Reused for every request, so that its buffer grows once. */
  #rows = new RowWriter(1024 * 1024);
  /** The traces of each unwritten batch, oldest first. */
  #unwritten: StoredTrace[][] = [];

  /**
   * @param source where stored spans and scores are looked up
   * @param decode decodes the OTLP requests of the log
   */
  constructor(source: StoredRows, decode = requestDecoder()) {
    this.#source = source;
    this.#stored = new StoredTraces(source);
    this.#decode = decode;
    this.#shared = source.mode !== 'embedded';
  }

  /** Loads the ids of stored traces and scores; batches may be built meanwhile. */
  load(): Promise<void> {
    return this.#stored.load();
  }

  async build(records: readonly Uint8Array[], options: BuildOptions): Promise<BuiltBatch> {
    const { token, fresh, unwritten, minVersion } = options;
    // The unwritten batches were built by a thread that has ended.
    if (unwritten !== this.#unwritten.length) throw new Error('the batches built before are not known here');
    const unreadable: BuiltBatch['unreadable'] = [];
    let read: ReadRecord[] = [];
    for (const [index, bytes] of records.entries()) {
      try {
        read.push(await this.#read(decodeLogRecord(bytes), index));
      } catch (error) {
        unreadable.push({ index, reason: messageOf(error) });
      }
    }
    if (!fresh) read = await withoutDeleted(this.#source, read);
    for (;;) {
      const version = read.reduce((highest, { maxVersion }) => Math.max(highest, maxVersion), 0);
      try {
        const { derived, abandoned, traces } = await this.#derive(read, Math.max(version, minVersion));
        this.#unwritten.push(traces);
        // A repeated batch may have older rows than those stored, so its traces are looked up again.
        if (fresh) this.#stored.keep(traces);
        else this.#forget(traces);
        return {
          hours: derived.hours(),
          derived: derived.inserts(token),
          rows: insertsOf(read, abandoned, version, token),
          touched: this.#shared ? touchedBy(traces) : [],
          unreadable,
          spans: writtenSpans(read, options.spansOfProjects),
        };
      } catch (error) {
        if (!(error instanceof UnderivableError)) throw error;
        // Quarantine the records of this project, so that those of other projects are written.
        for (const { index, projectId } of read) {
          if (projectId === error.projectId) unreadable.push({ index, reason: error.message });
        }
        read = read.filter(({ projectId }) => projectId !== error.projectId);
      }
    }
  }

  async #derive(read: readonly ReadRecord[], version: number) {
    const derived = new DerivedRows(version);
    const abandoned: AbandonedScore[] = [];
    const traces: StoredTrace[] = [];
    for (const [projectId, ofProject] of Map.groupBy(read, (record) => record.projectId)) {
      const spans = ofProject.flatMap((record) => record.spans);
      const scores = ofProject.flatMap((record) => record.scores);
      try {
        const project = await deriveProjectBatch(this.#stored, projectId, { spans, scores }, derived);
        for (const score of project.abandoned) abandoned.push(score);
        for (const trace of project.traces) traces.push(trace);
      } catch (error) {
        // Errors of the stores are retried. These two types mean that the rows cannot be derived or encoded.
        if (error instanceof RangeError || error instanceof TypeError) throw new UnderivableError(projectId, error);
        throw error;
      }
    }
    return { derived, abandoned, traces };
  }

  written(): Promise<void> {
    // Built by a thread that has ended: this one may have loaded the stored ids before that batch was written.
    return this.#unwritten.shift() ? Promise.resolve() : this.#stored.load();
  }

  givenUp(): Promise<void> {
    if (this.#unwritten.length === 0) return this.#stored.load();
    for (const traces of this.#unwritten) this.#forget(traces);
    this.#unwritten = [];
    return Promise.resolve();
  }

  #forget(traces: readonly StoredTrace[]): void {
    for (const { projectId, traceId } of traces) this.#stored.forget(projectId, traceId);
  }

  async spansOf(records: readonly Uint8Array[], projectIds: readonly string[]): Promise<WrittenSpans[]> {
    const read: ReadRecord[] = [];
    for (const bytes of records) {
      const record = readable(bytes);
      if (!record || !projectIds.includes(record.projectId)) continue;
      const rows = await this.#read(record, 0).catch(() => null);
      if (rows) read.push(rows);
    }
    return writtenSpans(read, projectIds);
  }

  forget(projectId: string, traceId: string | null): Promise<void> {
    this.#stored.forget(projectId, traceId);
    return Promise.resolve();
  }

  async #read(record: LogRecord, index: number): Promise<ReadRecord> {
    const { projectId, maxVersion, receivedMs } = record;
    const read = 'rows' in record ? readRows(record.rows) : await this.#makeRows(record, record.otlp);
    return { index, projectId, maxVersion, receivedMs, ...read };
  }

  async #makeRows(record: LogRecord, request: OtlpRequest): Promise<WrittenRows> {
    const batch = await this.#decode(request);
    applyPassThresholds(batch.scores, request.passThresholds);
    const writer = this.#rows;
    // An earlier request may have failed halfway and left bytes.
    writer.clear();
    const written = writeRows(writer, (full) => full.take(), record.projectId, batch, firstVersionOf(record));
    if (writer.capacity > largestKeptWriter) this.#rows = new RowWriter(1024 * 1024);
    return written;
  }
}

/** A writer with a larger buffer, in bytes, is not reused. */
const largestKeptWriter = 8 * 1024 * 1024;

function touchedBy(traces: readonly StoredTrace[]): TouchedTraces[] {
  return [...Map.groupBy(traces, ({ projectId }) => projectId)].map(([projectId, ofProject]) => ({
    projectId,
    traceIds: ofProject.map(({ traceId }) => traceId),
  }));
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function readable(bytes: Uint8Array): LogRecord | null {
  try {
    return decodeLogRecord(bytes);
  } catch {
    return null;
  }
}

function insertsOf(
  read: readonly ReadRecord[],
  abandoned: readonly AbandonedScore[],
  version: number,
  token: string,
): InsertRows[] {
  const inserts = Object.values(loggedTables).map(({ name, layout }) => ({
    table: name,
    layout,
    bytes: read.flatMap(({ rows }) =>
      rows.filter(({ table, bytes }) => table === name && bytes.length > 0).map(({ bytes }) => bytes),
    ),
    token: `${token}-${name}`,
    ...(name === 'spans' ? { copies: [spanTexts, spanHeaders] } : {}),
  }));
  const stale = new TableRows(scores);
  for (const score of abandoned) stale.addTombstone({ projectId: score.projectId, version }, score);
  return [...inserts.filter(({ bytes }) => bytes.length > 0), ...stale.inserts(token)];
}

/** The spans of some projects for span consumers, in the order of the records. */
function writtenSpans(read: readonly ReadRecord[], projectIds: readonly string[]): WrittenSpans[] {
  const wanted = read.filter(({ projectId, spans }) => spans.length > 0 && projectIds.includes(projectId));
  return [...Map.groupBy(wanted, ({ projectId }) => projectId)].map(([projectId, records]) => ({
    projectId,
    spans: records.flatMap(({ spans }) => spans.map(consumedPart)),
    receivedMs: records.reduce((latest, { receivedMs }) => Math.max(latest, receivedMs), 0),
  }));
}

function consumedPart(span: SpanHeader): WrittenSpans['spans'][number] {
  const { traceId, spanId, parentSpanId, kind, startNs, endNs, model, agentName, environment, tags, sessionId, source, origin } =
    span;
  return { traceId, spanId, parentSpanId, kind, startNs, endNs, model, agentName, environment, tags, sessionId, source, origin };
}
