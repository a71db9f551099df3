import type { PGlite } from '@electric-sql/pglite';
import { serveParent, withTransfer } from '../thread-rpc/index.ts';
import { openDurablePglite } from './durable-pglite.ts';
import { initialiseCluster } from './initialise-cluster.ts';
import { compilePglite } from './pglite-module.ts';

// PGlite runs PostgreSQL and its fsync synchronously; a thread of its own keeps the event loop free.

/** The calls that the thread of the embedded PostgreSQL serves. */
export interface PgliteFunctions {
  /** Creates a database in a directory. */
  initialise(directory: string): Promise<void>;
  /**
   * Opens the database of a directory. Call once, before `exchange`.
   *
   * @param compiled PostgreSQL's code, as a thread returned it before; null: it is compiled
   * @returns the code
   */
  open(directory: string, compiled: WebAssembly.Module | null): Promise<WebAssembly.Module>;
  /** Passes whole messages of PostgreSQL's wire protocol to the server; resolves with the server's answer. */
  exchange(messages: Uint8Array): Promise<Uint8Array>;
  /** Shuts PostgreSQL down, so that the next start has nothing to recover. */
  close(): Promise<void>;
}

/** The calls that the parent thread serves. */
export interface PgliteParent {
  /** PostgreSQL has panicked; the thread ends. */
  failed(reason: string): void;
}

/** Answers with fewer bytes are copied, which is faster than transferring them. */
const copiedBytes = 65_536;

serveParent<PgliteFunctions, PgliteParent>((parent) => {
  let database: PGlite | null = null;

  function fail(reason: string): never {
    parent.notify('failed', reason);
    return process.exit(1);
  }

  return {
    initialise: initialiseCluster,
    async open(directory, compiled) {
      const module = compiled ?? compilePglite();
      // After a panic PGlite's loop never ends, so exit within it. The next thread recovers from the write-ahead log.
      database = await openDurablePglite(directory, module, { onPanic: () => fail('PostgreSQL panicked') });
      return module;
    },
    async exchange(messages) {
      if (!database) throw new Error('the database is not open');
      // Not the plain `execProtocolRaw`: it keeps every row that it has ever returned.
      const parts: Uint8Array[] = [];
      const onRawData = (bytes: Uint8Array): void => void parts.push(bytes.slice());
      await database
        .execProtocolRawStream(messages, { syncToFs: false, onRawData })
        .catch((error: unknown) => fail(String(error)));
      const answer = joined(parts);
      return answer.length < copiedBytes ? answer : withTransfer(answer, [answer.buffer]);
    },
    async close() {
      await database?.close();
    },
  };
});

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const answer = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    answer.set(part, offset);
    offset += part.length;
  }
  return answer;
}
