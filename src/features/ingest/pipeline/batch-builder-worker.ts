import { parentPort, workerData } from 'node:worker_threads';
import type { ClickHouse, QueryParameters } from '../../../platform/clickhouse/index.ts';
import { LocalBatchBuilder } from './batch-builder.ts';
import type { BatchTerms, BuiltBatch } from './batch-builder.ts';
import { receiveError, sendError } from './sent-error.ts';
import type { SentError } from './sent-error.ts';

export interface BuilderWorkerData {
  mode: ClickHouse['mode'];
}

/** Records of a batch, one behind the other. */
export interface SentRecords {
  bytes: Uint8Array;
  lengths: number[];
}

export type BuilderRequest =
  | { kind: 'build'; id: number; records: SentRecords; terms: BatchTerms }
  | { kind: 'written'; id: number }
  | { kind: 'given up'; id: number }
  | { kind: 'spans'; id: number; records: SentRecords; projectIds: readonly string[] }
  | { kind: 'forget'; id: number; projectId: string; traceId: string }
  | { kind: 'rows'; id: number; rows: unknown[] }
  | { kind: 'no rows'; id: number; error: SentError };

export type BuilderMessage =
  | { kind: 'done'; id: number; answer: unknown }
  | { kind: 'failed'; id: number; error: SentError }
  /** Asks for rows of a project, or with null for rows of the system. */
  | { kind: 'query'; id: number; projectId: string | null; sql: string; parameters: QueryParameters }
  | { kind: 'not loaded'; error: SentError };

const port = parentPort;
if (!port) throw new Error('this module runs in a worker');
const waiting = new Map<number, { resolve(rows: unknown[]): void; reject(error: Error): void }>();
let queries = 0;

function ask<T>(projectId: string | null, sql: string, parameters: QueryParameters): Promise<T[]> {
  const id = ++queries;
  send({ kind: 'query', id, projectId, sql, parameters });
  return new Promise((resolve, reject) => waiting.set(id, { resolve: (rows) => resolve(rows as T[]), reject }));
}

const builder = new LocalBatchBuilder({
  mode: (workerData as BuilderWorkerData).mode,
  forTenant: ({ projectId, oldestMs }) => ({
    query: (sql, parameters = {}) => {
      if (oldestMs !== null) throw new Error('a batch looks at all that is stored');
      return ask(projectId, sql, parameters);
    },
    insertSelect: () => Promise.reject(new Error('a batch is not built by the engine')),
  }),
  systemQuery: (sql, parameters = {}) => ask(null, sql, parameters),
});
builder.load().catch((error: unknown) => send({ kind: 'not loaded', error: sendError(error) }));

function send(message: BuilderMessage, transfer: ArrayBuffer[] = []): void {
  port?.postMessage(message, transfer);
}

/** Large pieces are given away instead of being copied; small ones may lie in a buffer that others use too. */
function givenAway(built: BuiltBatch): ArrayBuffer[] {
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

async function carryOut(request: BuilderRequest): Promise<void> {
  switch (request.kind) {
    case 'build': {
      const built = await builder.build(recordsOf(request.records), request.terms);
      const transfer = givenAway(built);
      send({ kind: 'done', id: request.id, answer: built }, transfer);
      return;
    }
    case 'written':
      await builder.written();
      break;
    case 'given up':
      await builder.givenUp();
      break;
    case 'spans':
      send({ kind: 'done', id: request.id, answer: await builder.spansOf(recordsOf(request.records), request.projectIds) });
      return;
    case 'forget':
      await builder.forget(request.projectId, request.traceId);
      break;
    case 'rows':
      waiting.get(request.id)?.resolve(request.rows);
      waiting.delete(request.id);
      return;
    case 'no rows':
      waiting.get(request.id)?.reject(receiveError(request.error));
      waiting.delete(request.id);
      return;
  }
  send({ kind: 'done', id: request.id, answer: null });
}

function recordsOf({ bytes, lengths }: SentRecords): Uint8Array[] {
  let at = 0;
  return lengths.map((length) => bytes.subarray(at, (at += length)));
}

port.on('message', (request: BuilderRequest) => {
  carryOut(request).catch((error: unknown) => send({ kind: 'failed', id: request.id, error: sendError(error) }));
});
