import { releaseBuffer } from '../../../platform/memory/release-buffer.ts';
import { WorkerThread, withTransfer } from '../../../platform/thread-rpc/index.ts';
import type { StoredRows } from '../derivation/stored-traces.ts';
import type { WrittenSpans } from '../pipeline-port.ts';
import type { BuilderFunctions, BuilderParent, BuilderWorkerData, SentRecords } from './batch-builder-worker.ts';
import type { BatchBuilder, BuildOptions, BuiltBatch } from './batch-builder.ts';

type Thread = WorkerThread<BuilderFunctions, BuilderParent>;

/**
 * Builds batches in a worker thread, so that the main thread keeps serving requests. Look-ups run on the main thread, which has the
 * connections. A thread that ended is started again with the next batch.
 */
export class BatchBuilderThread implements BatchBuilder {
  readonly #clickhouse: StoredRows;
  readonly #onError: (error: Error) => void;
  #thread: Thread;
  /** Batches that were built and are not written yet, oldest first. Their buffers were transferred from the thread, so they can be released. */
  #unwritten: BuiltBatch[] = [];
  #closed = false;

  /**
   * @param onError called when the ids of stored traces could not be loaded: batches are still built, more slowly
   */
  constructor(clickhouse: StoredRows, onError: (error: Error) => void) {
    this.#clickhouse = clickhouse;
    this.#onError = onError;
    this.#thread = this.#start();
  }

  async build(records: readonly Uint8Array[], options: BuildOptions): Promise<BuiltBatch> {
    const built = await this.#current().call('build', concatenated(records), options);
    this.#unwritten.push(built);
    return built;
  }

  async spansOf(records: readonly Uint8Array[], projectIds: readonly string[]): Promise<WrittenSpans[]> {
    return this.#current().call('spansOf', concatenated(records), projectIds);
  }

  async written(): Promise<void> {
    releaseRows(this.#unwritten.splice(0, 1));
    await this.#current().call('written');
  }

  async givenUp(): Promise<void> {
    releaseRows(this.#unwritten.splice(0));
    await this.#current().call('givenUp');
  }

  async forget(projectId: string, traceId: string | null): Promise<void> {
    await this.#current().call('forget', projectId, traceId);
  }

  /** Ends the thread. To be called when no batch is being built. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#thread.terminate(new Error('the batch builder is closed'));
  }

  /** Ends the thread at once, even during a build. */
  async terminate(): Promise<void> {
    await this.#thread.terminate();
  }

  /** The running thread; starts a new one when it has ended. */
  #current(): Thread {
    if (this.#thread.failure !== null && !this.#closed) this.#thread = this.#start();
    return this.#thread;
  }

  #start(): Thread {
    const workerData: BuilderWorkerData = { mode: this.#clickhouse.mode };
    const thread: Thread = new WorkerThread(new URL('./batch-builder-worker.ts', import.meta.url), {
      name: "the batch builder's thread",
      workerData,
      functions: {
        queryLines: (projectId, sql, parameters) =>
          this.#clickhouse.forTenant({ projectId, oldestMs: null }).queryLines(sql, parameters),
        systemQuery: (sql, parameters) => this.#clickhouse.systemQuery<object>(sql, parameters),
      },
    });
    thread.call('load').catch((error: Error) => {
      // A thread that ended rejects its calls; its successor loads again.
      if (thread.failure === null) this.#onError(error);
    });
    return thread;
  }
}

function releaseRows(batches: readonly BuiltBatch[]): void {
  for (const { derived, rows } of batches)
    for (const { bytes } of [...derived, ...rows]) for (const piece of bytes) releaseBuffer(piece);
}

function concatenated(records: readonly Uint8Array[]): SentRecords {
  const bytes = new Uint8Array(records.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const record of records) {
    bytes.set(record, at);
    at += record.length;
  }
  return withTransfer({ bytes, lengths: records.map(({ length }) => length) }, [bytes.buffer]);
}
