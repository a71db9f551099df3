import { parentPort } from 'node:worker_threads';
import { openChannel } from './channel.ts';
import type { Channel } from './channel.ts';

/** The functions of the thread that started this one. */
export type ParentThread<Parent> = Pick<Channel<Parent>, 'call' | 'notify'>;

/**
 * Offers a worker's functions to the thread that started it ({@link WorkerThread}). Call it once, in the worker's first turn: messages
 * wait until then.
 *
 * @param functions makes the worker's functions; it gets the parent's
 */
export function serveParent<Functions extends object, Parent extends object = object>(
  functions: (parent: ParentThread<Parent>) => Functions,
): void {
  if (!parentPort) throw new Error('serveParent runs in a worker thread');
  const served: Partial<Functions> = {};
  const channel = openChannel<Parent>(parentPort, served);
  Object.assign(served, functions(channel));
}
