import { write } from 'node:fs';
import { workerData } from 'node:worker_threads';
import { lookMs, slots } from './shared-state.ts';
import { Silence } from './silence.ts';

// Runs beside the main thread. Its own timer goes on while that thread is stuck in native code or in a signal handler.

/** What is left to the line of explanation before the process ends without it: its reader may be why the main thread is stuck. */
const explainMs = 250;

const state = new Int32Array((workerData as { shared: SharedArrayBuffer }).shared);
const silence = new Silence();

const looking = setInterval(() => {
  const silentMs = silence.look(Atomics.load(state, slots.beats)) * lookMs;
  if (silentMs < Atomics.load(state, slots.patienceMs) || Atomics.load(state, slots.debugged) === 1) return;
  clearInterval(looking);
  const line = `spanwise: the main thread has not answered for ${silentMs / 1000} s; the process is ended. What was acknowledged is in the write-ahead log\n`;
  write(2, line, end);
  setTimeout(end, explainMs);
}, lookMs);

/** SIGALRM tells scripts/run.mjs, or another supervisor, from a kill by hand. Its default action ends the process in whatever state that is. */
function end(): void {
  try {
    process.kill(process.pid, 'SIGALRM');
  } catch {
    // Unknown on Windows.
  }
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), explainMs);
}
