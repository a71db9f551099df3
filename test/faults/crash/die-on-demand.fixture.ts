// Loaded into the service (--import): its main thread exhausts its heap on SIGUSR2, and stands still on SIGWINCH.
import { isMainThread } from 'node:worker_threads';

if (isMainThread && process.argv[1]?.endsWith('src/main.ts')) {
  process.on('SIGUSR2', () => {
    const kept: number[][] = [];
    for (;;) kept.push(Array.from({ length: 10_000 }, (_, index) => index + kept.length + 0.5));
  });
  process.on('SIGWINCH', () => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0));
}
