import { workerData } from 'node:worker_threads';
import type { ClickHouse, QueryParameters } from '../../../platform/clickhouse/index.ts';
import { serveParent, withTransfer } from '../../../platform/thread-rpc/index.ts';
import type { ParentThread } from '../../../platform/thread-rpc/index.ts';
import type { StoredRows } from '../derivation/stored-traces.ts';
import type { WrittenSpans } from '../pipeline-port.ts';
import { LocalBatchBuilder } from './batch-builder.ts';
import type { BatchBuilder, BuildOptions, BuiltBatch } from './batch-builder.ts';

export interface BuilderWorkerData {
  mode: ClickHouse['mode'];
}

/** Concatenated records of a batch. */
export interface SentRecords {
  bytes: Uint8Array;
  lengths: number[];
}

/** The functions of the thread; {@link BatchBuilder} documents them. */
export interface BuilderFunctions extends Pick<BatchBuilder, 'written' | 'givenUp' | 'forget'> {
  /** Loads the ids of stored traces and scores; batches may be built meanwhile. */
  load(): Promise<void>;
  build(records: SentRecords, options: BuildOptions): Promise<BuiltBatch>;
  spansOf(records: SentRecords, projectIds: readonly string[]): Promise<WrittenSpans[]>;
}

/** The functions of the main thread, which has the connections. */
export interface BuilderParent {
  /** Reads rows of a project, one JSON object a line. They are parsed in the builder's thread: a trace may have thousands of large spans. */
  queryLines(projectId: string, sql: string, parameters: QueryParameters): Promise<string>;
  /** Reads rows of all projects. */
  systemQuery(sql: string, parameters: QueryParameters): Promise<object[]>;
}

// Builds batches for a `BatchBuilderThread`.
serveParent<BuilderFunctions, BuilderParent>((parent) => {
  const builder = new LocalBatchBuilder(storedRows(parent));
  return {
    load: () => builder.load(),
    async build(records, options) {
      const built = await builder.build(recordsOf(records), options);
      return withTransfer(built, buffersToMove(built));
    },
    spansOf: (records, projectIds) => builder.spansOf(recordsOf(records), projectIds),
    written: () => builder.written(),
    givenUp: () => builder.givenUp(),
    forget: (projectId, traceId) => builder.forget(projectId, traceId),
  };
});

/** Reads what is stored through the parent thread. */
function storedRows(parent: ParentThread<BuilderParent>): StoredRows {
  return {
    mode: (workerData as BuilderWorkerData).mode,
    forTenant: ({ projectId, oldestMs }) => ({
      query: async <T>(sql: string, parameters: QueryParameters = {}) => {
        if (oldestMs !== null) throw new Error('a batch is built against everything that is stored, retention aside');
        return rowsOf<T>(await parent.call('queryLines', projectId, sql, parameters));
      },
      queryLines: (sql, parameters = {}) => parent.call('queryLines', projectId, sql, parameters),
      insertSelect: () => Promise.reject(new Error('a batch is not built by the engine')),
    }),
    systemQuery: <T>(sql: string, parameters: QueryParameters = {}) =>
      parent.call('systemQuery', sql, parameters) as Promise<T[]>,
  };
}

function rowsOf<T>(lines: string): T[] {
  return lines.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as T]));
}

/** The buffers to transfer to the main thread. Small pieces are copied first: they may be slices of a shared buffer. */
function buffersToMove(built: BuiltBatch): ArrayBuffer[] {
  const buffers = new Set<ArrayBuffer>();
  for (const insert of [...built.derived, ...built.rows]) {
    insert.bytes = insert.bytes.map((piece) => {
      const alone = piece.byteLength >= 65_536 && piece.buffer instanceof ArrayBuffer;
      const copy = alone ? piece : new Uint8Array(piece);
      buffers.add(copy.buffer as ArrayBuffer);
      return copy;
    });
  }
  return [...buffers];
}

function recordsOf({ bytes, lengths }: SentRecords): Uint8Array[] {
  let at = 0;
  return lengths.map((length) => bytes.subarray(at, (at += length)));
}
