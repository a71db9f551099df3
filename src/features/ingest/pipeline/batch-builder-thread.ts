import { Worker } from 'node:worker_threads';
import type { ClickHouse } from '../../../platform/clickhouse/index.ts';
import type { WrittenSpans } from '../pipeline-contract.ts';
import type { BatchBuilder, BatchTerms, BuiltBatch } from './batch-builder.ts';
import type { BuilderMessage, BuilderRequest, BuilderWorkerData, SentRecords } from './batch-builder-worker.ts';
import { giveBack } from '../give-back.ts';
import { receiveError, sendError } from './sent-error.ts';

interface Waiting {
  resolve(answer: unknown): void;
  reject(error: Error): void;
}

type Asked = BuilderRequest extends infer Request ? (Request extends { id: number } ? Omit<Request, 'id'> : never) : never;

/**
 * Builds batches in a thread of its own, so that requests are answered meanwhile. Look-ups come back to this thread, which has the
 * connections. A thread that ends is started again with the next batch.
 */
export class BatchBuilderThread implements BatchBuilder {
  readonly #clickhouse: ClickHouse;
  readonly #onError: (error: Error) => void;
  #worker: Worker | null = null;
  #waiting = new Map<number, Waiting>();
  #requests = 0;
  /** What was built and is not written, longest built first. Its bytes came from the thread: nobody else has them. */
  #unwritten: BuiltBatch[] = [];
  #closed = false;

  /** @param onError told when what is stored could not be learnt: batches are built all the same, more slowly */
  constructor(clickhouse: ClickHouse, onError: (error: Error) => void) {
    this.#clickhouse = clickhouse;
    this.#onError = onError;
    this.#start();
  }

  async build(records: readonly Uint8Array[], terms: BatchTerms): Promise<BuiltBatch> {
    const sent = oneBehindTheOther(records);
    const built = (await this.#ask({ kind: 'build', records: sent, terms }, [sent.bytes.buffer])) as BuiltBatch;
    this.#unwritten.push(built);
    return built;
  }

  async spansOf(records: readonly Uint8Array[], projectIds: readonly string[]): Promise<WrittenSpans[]> {
    const sent = oneBehindTheOther(records);
    return (await this.#ask({ kind: 'spans', records: sent, projectIds }, [sent.bytes.buffer])) as WrittenSpans[];
  }

  async written(): Promise<void> {
    giveBackRows(this.#unwritten.splice(0, 1));
    await this.#ask({ kind: 'written' });
  }

  async givenUp(): Promise<void> {
    giveBackRows(this.#unwritten.splice(0));
    await this.#ask({ kind: 'given up' });
  }

  async forget(projectId: string, traceId: string): Promise<void> {
    await this.#ask({ kind: 'forget', projectId, traceId });
  }

  /** Between batches, so that nothing is lost with the thread. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.terminate();
  }

  /** Ends the thread where it stands. */
  async terminate(): Promise<void> {
    await this.#worker?.terminate();
  }

  #ask(request: Asked, transfer: ArrayBuffer[] = []): Promise<unknown> {
    if (this.#closed) return Promise.reject(new Error('the batch builder is closed'));
    const worker = this.#worker ?? this.#start();
    const id = ++this.#requests;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      worker.postMessage({ ...request, id }, transfer);
    });
  }

  #start(): Worker {
    const data: BuilderWorkerData = { mode: this.#clickhouse.mode };
    const worker = new Worker(new URL('./batch-builder-worker.ts', import.meta.url), { workerData: data });
    worker.on('message', (message: BuilderMessage) => this.#take(worker, message));
    worker.on('error', (error) => this.#end(worker, error instanceof Error ? error : new Error(String(error))));
    worker.on('exit', () => this.#end(worker, new Error("the batch builder's thread has ended")));
    this.#worker = worker;
    return worker;
  }

  #take(worker: Worker, message: BuilderMessage): void {
    switch (message.kind) {
      case 'done':
        this.#settled(message.id)?.resolve(message.answer);
        return;
      case 'failed':
        this.#settled(message.id)?.reject(receiveError(message.error));
        return;
      case 'query':
        void this.#answer(worker, message);
        return;
      case 'not loaded':
        this.#onError(receiveError(message.error));
    }
  }

  async #answer(worker: Worker, { id, projectId, sql, parameters }: Extract<BuilderMessage, { kind: 'query' }>): Promise<void> {
    try {
      const rows =
        projectId === null
          ? await this.#clickhouse.systemQuery(sql, parameters)
          : await this.#clickhouse.forTenant({ projectId, oldestMs: null }).query(sql, parameters);
      worker.postMessage({ kind: 'rows', id, rows } satisfies BuilderRequest);
    } catch (error) {
      worker.postMessage({ kind: 'no rows', id, error: sendError(error) } satisfies BuilderRequest);
    }
  }

  #settled(id: number): Waiting | undefined {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    return waiting;
  }

  #end(worker: Worker, error: Error): void {
    if (this.#worker !== worker) return;
    this.#worker = null;
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting = new Map();
  }
}

function giveBackRows(batches: readonly BuiltBatch[]): void {
  for (const { derived, rows } of batches)
    for (const { bytes } of [...derived, ...rows]) for (const piece of bytes) giveBack(piece);
}

function oneBehindTheOther(records: readonly Uint8Array[]): SentRecords & { bytes: Uint8Array<ArrayBuffer> } {
  const bytes = new Uint8Array(records.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const record of records) {
    bytes.set(record, at);
    at += record.length;
  }
  return { bytes, lengths: records.map(({ length }) => length) };
}
