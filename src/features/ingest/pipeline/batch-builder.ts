import { RowReader, RowWriter } from '../../../platform/row-binary/index.ts';
import type { InsertRows, RowLayout } from '../../../platform/clickhouse/index.ts';
import { Inflater } from '../inflater.ts';
import { judgeScores } from '../judge-scores.ts';
import { readOtlpTraces } from '../otlp/index.ts';
import type { OtlpRequest, TouchedHour, WrittenSpans } from '../pipeline-contract.ts';
import { DerivedRows } from './derived-rows.ts';
import { decodeLogRecord, encodeRows, firstVersionOf } from './log-record.ts';
import type { LogRecord, RecordRows } from './log-record.ts';
import { deriveProjectBatch } from './project-batch.ts';
import type { AbandonedScore } from './project-batch.ts';
import { readScoreOutline, scoreLayout } from './score-row.ts';
import type { ScoreOutline } from './score-row.ts';
import { readSpanOutline, spanLayout } from './span-row.ts';
import type { SpanOutline } from './span-row.ts';
import { StoredTraces } from './stored-traces.ts';
import type { StoredRows, StoredTrace } from './stored-traces.ts';

/** What a batch of log records becomes in ClickHouse. */
export interface BuiltBatch {
  /** Whose figures change. */
  hours: TouchedHour[];
  /** Rows of derived tables; they go first. */
  derived: InsertRows[];
  /** Spans and scores. */
  rows: InsertRows[];
  /** Records that could not be read, by their place in the batch, and why. */
  unreadable: Array<{ place: number; reason: string }>;
}

/** Builds batches one after the other, here or in a thread of its own. */
export interface BatchBuilder {
  /**
   * @param records of a segment, in order
   * @param token names the batch for good: the engine takes each of its inserts once
   * @param fresh whether nothing of it can have been written, or deleted, before
   */
  build(records: readonly Uint8Array[], token: string, fresh: boolean): Promise<BuiltBatch>;
  /** Says that the last batch is in ClickHouse. */
  written(): Promise<void>;
  /** The readable spans of some projects in `records`. */
  spansOf(records: readonly Uint8Array[], projectIds: readonly string[]): Promise<WrittenSpans[]>;
  /** Has a trace looked up the next time: it was changed by other means. */
  forget(projectId: string, traceId: string): Promise<void>;
}

interface ReadRecord extends RecordRows {
  /** In the batch. */
  place: number;
  projectId: string;
  maxVersion: number;
  spans: SpanOutline[];
  scores: ScoreOutline[];
}

/** What a batch holds of a project cannot be worked out. */
class UnderivableError extends Error {
  readonly projectId: string;

  constructor(projectId: string, cause: Error) {
    super(cause.message, { cause });
    this.projectId = projectId;
  }
}

const abandonedLayout: RowLayout = [
  ['project_id', 'UUID'],
  ['trace_id', 'String'],
  ['score_id', 'String'],
  ['version', 'UInt64'],
  ['is_deleted', 'UInt8'],
  ['start_time', 'DateTime64(3)'],
];

/** Builds batches in this thread. */
export class LocalBatchBuilder implements BatchBuilder {
  readonly #stored: StoredTraces;
  readonly #inflater = new Inflater();
  /** Of the last batch. */
  #traces: StoredTrace[] = [];
  #fresh = false;
  #built = false;

  /** @param source where stored spans and scores are looked up */
  constructor(source: StoredRows) {
    this.#stored = new StoredTraces(source);
  }

  /** Learns what is stored already; batches may be built meanwhile. */
  load(): Promise<void> {
    return this.#stored.load();
  }

  async build(records: readonly Uint8Array[], token: string, fresh: boolean): Promise<BuiltBatch> {
    const unreadable: BuiltBatch['unreadable'] = [];
    let read: ReadRecord[] = [];
    for (const [place, bytes] of records.entries()) {
      try {
        read.push(await this.#read(decodeLogRecord(bytes), place));
      } catch (error) {
        unreadable.push({ place, reason: messageOf(error) });
      }
    }
    for (;;) {
      const version = read.reduce((highest, { maxVersion }) => Math.max(highest, maxVersion), 0);
      try {
        const { derived, abandoned, traces } = await this.#derive(read, version);
        this.#built = true;
        this.#traces = traces;
        this.#fresh = fresh;
        return {
          hours: derived.hours(),
          derived: derived.inserts(token),
          rows: insertsOf(read, abandoned, version, token),
          unreadable,
        };
      } catch (error) {
        if (!(error instanceof UnderivableError)) throw error;
        // One project's trace must not hold up everybody's.
        for (const { place, projectId } of read) {
          if (projectId === error.projectId) unreadable.push({ place, reason: error.message });
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
        // What the stores answer with is tried again; these two say that something cannot be worked out or written at all.
        if (error instanceof RangeError || error instanceof TypeError) throw new UnderivableError(projectId, error);
        throw error;
      }
    }
    return { derived, abandoned, traces };
  }

  written(): Promise<void> {
    // The thread that built it has ended: this one may have read what is stored before that batch was.
    if (!this.#built) return this.#stored.load();
    // A repeated span may have been deleted since: then the tombstone wins, and what was worked out is not what is stored.
    if (this.#fresh) this.#stored.keep(this.#traces);
    else for (const { projectId, traceId } of this.#traces) this.#stored.forget(projectId, traceId);
    this.#traces = [];
    return Promise.resolve();
  }

  async spansOf(records: readonly Uint8Array[], projectIds: readonly string[]): Promise<WrittenSpans[]> {
    const written = new Map<string, WrittenSpans & { spans: SpanOutline[] }>();
    for (const bytes of records) {
      const record = readable(bytes);
      if (!record || !projectIds.includes(record.projectId)) continue;
      const { projectId, receivedMs } = record;
      const read = await this.#read(record, 0).catch(() => null);
      if (!read || read.spans.length === 0) continue;
      const known = written.get(projectId) ?? { projectId, receivedMs, spans: [] };
      for (const span of read.spans) known.spans.push(span);
      written.set(projectId, { ...known, receivedMs: Math.max(known.receivedMs, receivedMs) });
    }
    return [...written.values()];
  }

  forget(projectId: string, traceId: string): Promise<void> {
    this.#stored.forget(projectId, traceId);
    return Promise.resolve();
  }

  async #read(record: LogRecord, place: number): Promise<ReadRecord> {
    const rows = 'rows' in record ? record.rows : await this.#rowsOf(record, record.otlp);
    return {
      place,
      projectId: record.projectId,
      maxVersion: record.maxVersion,
      ...rows,
      spans: all(rows.spanRows, readSpanOutline),
      scores: all(rows.scoreRows, readScoreOutline),
    };
  }

  async #rowsOf(record: LogRecord, request: OtlpRequest): Promise<RecordRows> {
    const body = await this.#inflater.inflate(request.body, request.contentEncoding);
    const { batch } = readOtlpTraces(body, request.encoding, request);
    judgeScores(batch.scores, request.passThresholds);
    return encodeRows(record.projectId, batch, firstVersionOf(record));
  }
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

function all<T>(rows: Uint8Array, read: (reader: RowReader) => T): T[] {
  const reader = new RowReader(rows);
  const values: T[] = [];
  while (!reader.done) values.push(read(reader));
  return values;
}

function insertsOf(
  read: readonly ReadRecord[],
  abandoned: readonly AbandonedScore[],
  version: number,
  token: string,
): InsertRows[] {
  const inserts: InsertRows[] = [
    { table: 'spans', layout: spanLayout, bytes: read.map(({ spanRows }) => spanRows), token: `${token}-spans` },
    { table: 'scores', layout: scoreLayout, bytes: read.map(({ scoreRows }) => scoreRows), token: `${token}-scores` },
    { table: 'scores', layout: abandonedLayout, bytes: [tombstonesOf(abandoned, version)], token: `${token}-abandoned` },
  ];
  return inserts
    .map((insert) => ({ ...insert, bytes: insert.bytes.filter(({ length }) => length > 0) }))
    .filter(({ bytes }) => bytes.length > 0);
}

function tombstonesOf(abandoned: readonly AbandonedScore[], version: number): Uint8Array {
  const rows = new RowWriter();
  for (const score of abandoned) {
    rows.uuid(score.projectId);
    rows.string(score.traceId);
    rows.string(score.scoreId);
    rows.uint64(version);
    rows.uint8(1);
    rows.int64(BigInt(score.timestampMs));
  }
  return rows.finish();
}
