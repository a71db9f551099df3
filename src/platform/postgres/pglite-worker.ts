import { setFlagsFromString } from 'node:v8';
import { parentPort, workerData } from 'node:worker_threads';
import { openDurablePglite } from './durable-pglite.ts';
import { initialiseCluster } from './initialise-cluster.ts';
import type { PgliteTask } from './pglite-thread.ts';

// PGlite runs PostgreSQL synchronously and waits for its fsync: in a thread of its own it holds up nobody else.

// PostgreSQL's largest functions cost V8's optimising compiler 500 MB and a core for seconds, more than the short statements here
// ever win by it. It is said before the module is compiled, the only time that these are looked at.
for (const flag of ['--no-wasm-dynamic-tiering', '--no-wasm-tier-up']) setFlagsFromString(flag);

const port = parentPort;
if (!port) throw new Error('this module runs in a worker');
const { directory, task } = workerData as PgliteTask;

try {
  if (task === 'initialise') await initialiseCluster(directory);
  else await serve(port);
  port.postMessage('ready');
} catch (error) {
  port.postMessage({ failure: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  port.close();
}

async function serve(port: NonNullable<typeof parentPort>): Promise<void> {
  const database = await openDurablePglite(directory, {
    onPanic: () => {
      // After a panic PGlite's loop would never end: the thread does, in the middle of it. A new one recovers from the log.
      port.postMessage({ failure: 'PostgreSQL panicked' });
      process.exit(1);
    },
  });
  port.on('message', (message: Uint8Array | 'close') => {
    if (message === 'close') {
      void database.close().finally(() => port.close());
      return;
    }
    // The plain `execProtocolRaw` also keeps every row that it ever answered, in lists that nobody empties.
    const parts: Uint8Array[] = [];
    database.execProtocolRawStream(message, { syncToFs: false, onRawData: (bytes) => parts.push(bytes.slice()) }).then(
      () => {
        const answer = joined(parts);
        port.postMessage(answer, [answer.buffer]);
      },
      (error: unknown) => {
        port.postMessage({ failure: String(error) });
        process.exit(1);
      },
    );
  });
}

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const answer = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    answer.set(part, offset);
    offset += part.length;
  }
  return answer;
}
