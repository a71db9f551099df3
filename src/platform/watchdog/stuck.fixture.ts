// A process whose main thread stands still, in a way of its argument.
import { startWatchdog } from './watchdog.ts';

const [way] = process.argv.slice(2);
startWatchdog(1_000);
await new Promise((resolve) => setTimeout(resolve, 100));
process.stdout.write('stands still\n');
if (way === 'waits') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
// eslint-disable-next-line no-unmodified-loop-condition -- without end
while (way === 'loops');
