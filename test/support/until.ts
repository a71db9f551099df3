import { setTimeout as delay } from 'node:timers/promises';

/** Polls a condition every 50 ms until it holds. Throws after `patienceMs`. */
export async function until(what: string, holds: () => boolean | Promise<boolean>, patienceMs = 30_000): Promise<void> {
  for (const deadline = performance.now() + patienceMs; performance.now() < deadline;) {
    if (await holds()) return;
    await delay(50);
  }
  throw new Error(`not within ${patienceMs} ms: ${what}`);
}
