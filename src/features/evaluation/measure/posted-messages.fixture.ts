import { Worker } from 'node:worker_threads';
import { vi } from 'vitest';

/** How many messages a piece of work posts to threads of this process; 0: the main thread does it alone. */
export async function postedMessages(work: () => Promise<unknown>): Promise<number> {
  const posting = vi.spyOn(Worker.prototype, 'postMessage');
  try {
    await work().catch(() => undefined);
    return posting.mock.calls.length;
  } finally {
    posting.mockRestore();
  }
}
