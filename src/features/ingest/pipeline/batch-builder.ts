import { RowReader, RowWriter } from '../../../platform/row-binary/index.ts';
import type { InsertRows, RowLayout } from '../../../platform/clickhouse/index.ts';
import { giveBack } from '../give-back.ts';
import { Inflater } from '../inflater.ts';
import { judgeScores } from '../judge-scores.ts';
import { readOtlpTraces } from '../otlp/index.ts';
import type { OtlpRequest, TouchedHour, WrittenSpans } from '../pipeline-contract.ts';
import type { TouchedTraces } from '../settle/trace-notes.ts';
import { DerivedRows } from './derived-rows.ts';
import { decodeLogRecord, firstVersionOf, writeRows } from './log-record.ts';
import type { LogRecord, RecordRows } from './log-record.ts';
import { deriveProjectBatch } from './project-batch.ts';
import type { AbandonedScore } from './project-batch.ts';
import { readScoreOutline, scoreLayout, scoreOutline } from './score-row.ts';
import type { ScoreOutline } from './score-row.ts';
import { readSpanOutline, spanLayout, spanOutline } from './span-row.ts';
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
  /** The traces that it touches; only where others write too. */
  touched: TouchedTraces[];
  /** Records that could not be read, by their place in the batch, and why. */
  unreadable: Array<{ place: number; reason: string }>;
}

export interface BatchTerms {
  /** Names the batch for good: a cluster takes each of its inserts once. */
  token: string;
  /** Whether nothing of it can have been written, or deleted, before. */
  fresh: boolean;
  /** How many batches were built and are neither written nor given up. */
  unwritten: number;
  /** Of derived rows: above those of everybody who looked at what is stored before; where nobody else writes, 0: the records' own versions are. */
  leastVersion: number;
}

/**
 * Builds batches one after the other, here or in a thread of its own. A batch may be built while the one before is being written: it is worked
 * out against what will be stored then.
 */
export interface BatchBuilder {
  /**
   * @param records of a segment, in order
   */
  build(records: readonly Uint8Array[], terms: BatchTerms): Promise<BuiltBatch>;
  /** Says that the longest built batch is in ClickHouse. */
  written(): Promise<void>;
  /** Says that what was built and is not written may be there in part or not at all: it will be built anew. */
  givenUp(): Promise<void>;
  /** The readable spans of some projects in `records`. */
  spansOf(records: readonly Uint8Array[], projectIds: readonly string[]): Promise<WrittenSpans[]>;
  /** Has a trace looked up the next time: it was changed by other means. */
  forget(projectId: string, traceId: string): Promise<void>;
}

interface ReadRows extends RecordRows {
  spans: SpanOutline[];
  scores: ScoreOutline[];
}

interface ReadRecord extends ReadRows {
  /** In the batch. */
  place: number;
  projectId: string;
  maxVersion: number;
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
  /** Whether other processes write to the engine. */
  readonly #shared: boolean;
  /** Rows of one request after the other: what has grown once need not grow again. */
  #rows = new RowWriter(1024 * 1024);
  /** The traces of each batch that is not written, longest built first. */
  #unwritten: StoredTrace[][] = [];

  /** @param source where stored spans and scores are looked up */
  constructor(source: StoredRows) {
    this.#stored = new StoredTraces(source);
    this.#shared = source.mode !== 'embedded';
  }

  /** Learns what is stored already; batches may be built meanwhile. */
  load(): Promise<void> {
    return this.#stored.load();
  }

  async build(records: readonly Uint8Array[], { token, fresh, unwritten, leastVersion }: BatchTerms): Promise<BuiltBatch> {
    // The thread that built the others has ended.
    if (unwritten !== this.#unwritten.length) throw new Error('the batches built before are not known here');
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
        const { derived, abandoned, traces } = await this.#derive(read, Math.max(version, leastVersion));
        this.#unwritten.push(traces);
        // A repeated span may have been deleted since: then the tombstone wins, and what was worked out is not what is stored.
        if (fresh) this.#stored.keep(traces);
        else this.#forget(traces);
        return {
          hours: derived.hours(),
          derived: derived.inserts(token),
          rows: insertsOf(read, abandoned, version, token),
          touched: this.#shared ? touchedBy(traces) : [],
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
    const { projectId, maxVersion } = record;
    const read = 'rows' in record ? readRows(record.rows) : await this.#makeRows(record, record.otlp);
    return { place, projectId, maxVersion, ...read };
  }

  async #makeRows(record: LogRecord, request: OtlpRequest): Promise<ReadRows> {
    const body = await this.#inflater.inflate(request.body, request.contentEncoding);
    const { batch } = readOtlpTraces(body, request.encoding, request);
    if (body !== request.body) giveBack(body);
    judgeScores(batch.scores, request.passThresholds);
    const { projectId } = record;
    const first = firstVersionOf(record);
    const writer = this.#rows;
    // A request that could not be written to its end has left something here.
    writer.clear();
    const spanBytes = writeRows(writer, projectId, batch, first);
    if (writer.length > largestKeptWriter) this.#rows = new RowWriter(1024 * 1024);
    const bytes = writer.take();
    const firstScore = first + batch.spans.length;
    return {
      spanRows: bytes.subarray(0, spanBytes),
      scoreRows: bytes.subarray(spanBytes),
      spans: batch.spans.map((span, index) => spanOutline(projectId, first + index, span)),
      scores: batch.scores.map((score, index) => scoreOutline(projectId, firstScore + index, score)),
    };
  }
}

/** Above so many bytes a writer is not kept for the next request. */
const largestKeptWriter = 8 * 1024 * 1024;

function readRows(rows: RecordRows): ReadRows {
  return { ...rows, spans: all(rows.spanRows, readSpanOutline), scores: all(rows.scoreRows, readScoreOutline) };
}

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
