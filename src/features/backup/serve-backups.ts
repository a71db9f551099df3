import { chmod, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { Server, Socket } from 'node:net';
import { onLines, sendLine } from './control-protocol.ts';
import type { BackupRequest } from './control-protocol.ts';
import { forgetHeld, holdStores } from './held-stores.ts';
import type { BackupStores } from './held-stores.ts';

export interface BackupServiceOptions extends BackupStores {
  socket: string;
  postgresDirectory: string;
  /** null: the secret is in the environment. */
  secretKeyFile: string | null;
  /** Runs an operation of the operator's command line. Rejects with an Error whose message the command prints. */
  operate(operation: string, input: unknown): Promise<unknown>;
  /** Called when a command has copied everything. */
  onCopied(): Promise<void>;
  onError(error: Error): void;
  /** Maximum milliseconds that the stores are held, so that a stopped command does not block the service. */
  maxHeldMs?: number;
}

export interface BackupService {
  close(): Promise<void>;
}

const maxHeldMs = 20_000;
/** Maximum bytes of a socket's path on every supported kernel. */
const longestSocketPath = 103;

/** Answers `spanwise backup`, and the commands that run in the service, on a socket in the data directory. When the socket cannot be opened, the service runs without backups. */
export async function serveBackups(options: BackupServiceOptions): Promise<BackupService> {
  const { socket: path, onError } = options;
  const sessions = new Set<BackupSession>();
  await forgetHeld(options);
  const server = createServer((socket) => {
    const session = new BackupSession(options, socket, () => [...sessions].some(({ begun }) => begun));
    sessions.add(session);
    socket.once('close', () => {
      void session.end().finally(() => sessions.delete(session));
    });
  });
  await listen(server, path).catch((error: unknown) =>
    onError(
      new Error(`${path} cannot be made, so that spanwise backup, user and org do not work while the service runs`, {
        cause: error,
      }),
    ),
  );
  return {
    close: async () => {
      server.close();
      await Promise.all([...sessions].map((session) => session.abort()));
    },
  };
}

async function listen(server: Server, path: string): Promise<void> {
  if (Buffer.byteLength(path) > longestSocketPath) throw new Error(`its path is longer than ${longestSocketPath} bytes`);
  // A socket of a killed process; the data directory is locked by this one.
  await rm(path, { force: true });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject);
  // Before the chmod below, the directory's mode (0700) protects the socket.
  server.listen(path, resolve);
  await promise;
  server.unref();
  await chmod(path, 0o600);
}

/** One connection, which is one backup. Its links exist as long as the connection. */
class BackupSession {
  readonly #options: BackupServiceOptions;
  readonly #socket: Socket;
  readonly #release = Promise.withResolvers<void>();
  /** Whether the backup was accepted. */
  begun = false;
  #holding: Promise<void> | null = null;
  /** Whether the stores were held as long as the command needed. */
  #released = false;
  #ended: Promise<void> | null = null;
  /** Operations in progress. They end before the stores are closed, also where the command went away. */
  readonly #operations = new Set<Promise<void>>();

  /** @param crowded whether another backup is in progress */
  constructor(options: BackupServiceOptions, socket: Socket, crowded: () => boolean) {
    this.#options = options;
    this.#socket = socket;
    onLines<BackupRequest>(socket, (request) => {
      const { ask } = request;
      if (ask === 'begin') this.#begin(crowded());
      else if (ask === 'hold' && this.begun) this.#holding ??= this.#hold();
      else if (ask === 'release') this.#release.resolve();
      else if (ask === 'end') void this.#finish();
      else if (ask === 'operate') this.#operate(request.operation, request.input);
    });
  }

  /** Releases the stores and removes the links. */
  end(): Promise<void> {
    this.#ended ??= (async () => {
      this.#release.resolve();
      await Promise.all([this.#holding, ...this.#operations]);
      if (this.begun) await forgetHeld(this.#options).catch((error: unknown) => this.#options.onError(error as Error));
      this.begun = false;
    })();
    return this.#ended;
  }

  async #finish(): Promise<void> {
    const copied = this.begun && this.#released;
    await this.end();
    // The backup does not fail because it was not recorded.
    if (copied) await this.#options.onCopied().catch((error: unknown) => this.#options.onError(error as Error));
    sendLine(this.#socket, { told: 'ended' });
  }

  #operate(operation: string, input: unknown): void {
    const done = this.#options.operate(operation, input).then(
      (result) => sendLine(this.#socket, { told: 'operated', result }),
      (error: unknown) => this.#refuse(error instanceof Error ? error.message : String(error)),
    );
    this.#operations.add(done);
    void done.finally(() => this.#operations.delete(done));
  }

  async abort(): Promise<void> {
    // What an operation did is told: a command that is refused would do it again.
    await Promise.all(this.#operations);
    this.#refuse('the service is shutting down; repeat the command when it is running');
    await this.end();
  }

  #begin(crowded: boolean): void {
    const { postgres, clickhouse, postgresDirectory, secretKeyFile } = this.#options;
    if (crowded) {
      this.#refuse('another backup is under way; wait for it to end');
    } else if ((postgres.mode === 'embedded') !== (clickhouse.mode === 'embedded')) {
      this.#refuse(
        'one of PostgreSQL and ClickHouse is a server and the other is embedded, whose states nothing here brings together; stop the service, ' +
          'copy its data directory, and back up the server with its own tools before you start it again',
      );
    } else {
      this.begun = true;
      const stores = postgres.mode === 'embedded' ? 'embedded' : 'servers';
      sendLine(this.#socket, { told: 'begun', stores, postgres: postgresDirectory, secretKey: secretKeyFile });
    }
  }

  async #hold(): Promise<void> {
    const { maxHeldMs: most = maxHeldMs, onError } = this.#options;
    try {
      await forgetHeld(this.#options);
      await holdStores(this.#options, async (state) => {
        const impatience = setTimeout(() => {
          this.#refuse(
            `the stores were held for ${most / 1000} s; the copy took too long, so make the backup when less is written`,
          );
          this.#release.resolve();
        }, most);
        sendLine(this.#socket, state);
        await this.#release.promise;
        clearTimeout(impatience);
      });
      this.#released = true;
      sendLine(this.#socket, { told: 'released' });
    } catch (error) {
      onError(new Error('a backup failed', { cause: error }));
      this.#refuse('the service could not hold its stores still; its log says why');
    }
  }

  #refuse(reason: string): void {
    sendLine(this.#socket, { told: 'refused', reason });
    this.#socket.end();
  }
}
