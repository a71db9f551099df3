import inspector from 'node:inspector';
import { Worker } from 'node:worker_threads';
import { lookMs, slots } from './shared-state.ts';

/** Ends this process when its main thread no longer turns its event loop. */
export interface Watchdog {
  /** @param ms of silence, counted while the process runs, after which it is ended */
  setPatience(ms: number): void;
  close(): Promise<void>;
}

/**
 * Starts a thread that ends this process, by SIGALRM and then SIGKILL, when the main thread has been silent for too long: stuck in native code, in a
 * signal handler of a library, or in a loop without end. A main thread with a debugger attached may stand still (ADR 0026).
 *
 * @param patienceMs see {@link Watchdog.setPatience}
 */
export function startWatchdog(patienceMs: number): Watchdog {
  const shared = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT * Object.keys(slots).length);
  const state = new Int32Array(shared);
  Atomics.store(state, slots.patienceMs, patienceMs);
  const worker = new Worker(new URL('./watchdog-worker.ts', import.meta.url), {
    workerData: { shared },
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2 },
  });
  // Without it the service works as before; nothing else depends on this thread.
  worker.on('error', () => undefined).unref();
  const beat = (): void => {
    Atomics.add(state, slots.beats, 1);
    Atomics.store(state, slots.debugged, inspector.url() === undefined ? 0 : 1);
  };
  beat();
  const beating = setInterval(beat, lookMs).unref();
  return {
    setPatience: (ms) => void Atomics.store(state, slots.patienceMs, ms),
    close: async () => {
      clearInterval(beating);
      await worker.terminate();
    },
  };
}
