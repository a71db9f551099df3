import type { Socket } from 'node:net';

// The command and the service exchange JSON objects, one a line, over a Unix socket in the data directory. File permissions authorize it:
// a process that can open the socket can read the directory.

export type BackupRequest =
  | { ask: 'begin' }
  | { ask: 'hold' }
  | { ask: 'release' }
  | { ask: 'end' }
  /** Something else that the operator's command line does in the service, by name; the input and the result are JSON. */
  | { ask: 'operate'; operation: string; input: unknown };

/** A table of the embedded ClickHouse and the directory of its frozen parts, which is absent when it has none. */
export interface FrozenTable {
  name: string;
  /** Its CREATE TABLE statement. */
  create: string;
  parts: string;
}

export interface BegunBackup {
  told: 'begun';
  /** `servers`: PostgreSQL and ClickHouse are servers, so that the backup holds only the data directory. */
  stores: 'embedded' | 'servers';
  postgres: string;
  /** null: the secret comes from SPANWISE_SECRET_KEY. */
  secretKey: string | null;
}

export interface HeldBackup {
  told: 'held';
  /** Rows by table of PostgreSQL. */
  postgresRows: Record<string, number>;
  clickhouse: FrozenTable[];
  versions: Record<string, string>;
  /** A directory with the write-ahead log as it is now. */
  wal: string;
}

export type BackupAnswer =
  | BegunBackup
  | HeldBackup
  | { told: 'released' | 'ended' }
  | { told: 'operated'; result: unknown }
  | { told: 'refused'; reason: string };

/** Maximum characters of a message; a longer line closes the connection. */
const longestLine = 1_048_576;

/** Sends a message; does nothing on a closed connection. */
export function sendLine(socket: Socket, message: BackupRequest | BackupAnswer): void {
  if (socket.writable) socket.write(`${JSON.stringify(message)}\n`);
}

/** Calls `take` with each message. Closes the connection on a line that is no message and on socket errors. */
export function onLines<T>(socket: Socket, take: (message: T) => void): void {
  let rest = '';
  socket.on('error', () => socket.destroy());
  socket.setEncoding('utf8').on('data', (text: string) => {
    const lines = `${rest}${text}`.split('\n');
    rest = lines.pop() ?? '';
    try {
      if (rest.length > longestLine) throw new RangeError('a line without end');
      for (const line of lines) take(JSON.parse(line) as T);
    } catch {
      socket.destroy();
    }
  });
}
