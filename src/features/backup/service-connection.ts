import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { onLines, sendLine } from './control-protocol.ts';
import type { BackupAnswer, BackupRequest } from './control-protocol.ts';
import { BackupError } from './manifest.ts';

/** The command's connection to the service. While it is open, the service keeps the links to copy. */
export class ServiceConnection {
  readonly #socket: Socket;
  readonly #answers: BackupAnswer[] = [];
  #waiting: (() => void) | null = null;
  #closed = false;

  private constructor(socket: Socket) {
    this.#socket = socket;
    const wake = () => this.#waiting?.();
    onLines<BackupAnswer>(socket, (answer) => {
      this.#answers.push(answer);
      wake();
    });
    socket.on('close', () => {
      this.#closed = true;
      wake();
    });
  }

  /** Errors: {@link BackupError} when no service runs on the data directory. */
  static async open(path: string, dataDirectory: string): Promise<ServiceConnection> {
    const socket = connect(path);
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', resolve);
      socket.once('error', (error: NodeJS.ErrnoException) => {
        const denied = error.code === 'EACCES' || error.code === 'EPERM';
        const message = denied
          ? `the service on the data directory ${dataDirectory} cannot be asked; run this as the user that runs the service`
          : `no service runs on the data directory ${dataDirectory}; start it, or set SPANWISE_DATA_DIR. While it is stopped, a copy of the directory is a backup`;
        reject(new BackupError(message, error));
      });
    });
    return new ServiceConnection(socket);
  }

  /** Sends a request and resolves with the answer. Errors: {@link BackupError} for a refusal, and when the service closes the connection. */
  async ask<T extends BackupAnswer['told']>(request: BackupRequest, told: T): Promise<Extract<BackupAnswer, { told: T }>> {
    sendLine(this.#socket, request);
    for (;;) {
      const answer = this.#answers.shift();
      if (answer?.told === told) return answer as Extract<BackupAnswer, { told: T }>;
      if (answer?.told === 'refused') throw new BackupError(answer.reason);
      if (this.#closed) throw new BackupError('the service went away; make the backup again when it is up');
      await new Promise<void>((resolve) => {
        this.#waiting = resolve;
      });
    }
  }

  close(): void {
    this.#socket.end();
  }
}
