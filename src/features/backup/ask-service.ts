import { connect } from 'node:net';
import { onLines, sendLine } from './control-protocol.ts';
import type { BackupAnswer } from './control-protocol.ts';
import { BackupError } from './manifest.ts';

const notRunning: ReadonlySet<string | undefined> = new Set(['ENOENT', 'ECONNREFUSED']);

/**
 * Runs an operation in the service of a data directory, by its socket there.
 *
 * Errors: {@link BackupError} for a refusal, whose message says why, and when the service goes away.
 *
 * @returns the result; null when no service runs on the directory
 */
export async function askService(path: string, operation: string, input: unknown): Promise<{ result: unknown } | null> {
  const socket = connect(path);
  const { promise, resolve, reject } = Promise.withResolvers<{ result: unknown } | null>();
  onLines<BackupAnswer>(socket, (answer) => {
    if (answer.told === 'operated') resolve({ result: answer.result });
    else if (answer.told === 'refused') reject(new BackupError(answer.reason));
  });
  socket.once('connect', () => sendLine(socket, { ask: 'operate', operation, input }));
  socket.once('error', (error: NodeJS.ErrnoException) => {
    if (notRunning.has(error.code)) resolve(null);
    else reject(new BackupError('the service cannot be asked; run this as the user that runs it', error));
  });
  socket.once('close', () => reject(new BackupError('the service went away; repeat the command when it is up')));
  try {
    return await promise;
  } finally {
    socket.destroy();
  }
}
