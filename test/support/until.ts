import { setTimeout as delay } from 'node:timers/promises';

/** Resolves once a condition holds, asked for again and again since nothing announces it; throws after its patience. */
export async function until(what: string, holds: () => boolean | Promise<boolean>, patienceMs = 30_000): Promise<void> {
  for (const deadline = performance.now() + patienceMs; performance.now() < deadline;) {
    if (await holds()) return;
    await delay(50);
  }
  throw new Error(`not within ${patienceMs} ms: ${what}`);
}
