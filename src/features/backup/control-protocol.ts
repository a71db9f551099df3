import type { Socket } from 'node:net';

// The command speaks with the running service over a socket in its data directory, a JSON object a line. Who can open the socket can read the
// directory: its rights are the file system's, and no tenant has a way there.

export type BackupRequest = { ask: 'begin' } | { ask: 'hold' } | { ask: 'release' } | { ask: 'end' };

/** A table of the embedded ClickHouse with the directory that holds its frozen parts; there is none when it has no parts. */
export interface FrozenTable {
  name: string;
  /** Its CREATE TABLE statement. */
  create: string;
  parts: string;
}

export interface BegunBackup {
  told: 'begun';
  /** `servers`: PostgreSQL and ClickHouse are elsewhere, and only what is in the data directory can be had. */
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

export type BackupAnswer = BegunBackup | HeldBackup | { told: 'released' | 'ended' } | { told: 'refused'; reason: string };

/** More than any message; who sends more without an end of line is cut off. */
const longestLine = 1_048_576;

/** Sends a message, unless the other side has gone. */
export function sendLine(socket: Socket, message: BackupRequest | BackupAnswer): void {
  if (socket.writable) socket.write(`${JSON.stringify(message)}\n`);
}

/** Gives each line's message to `take`; ends the connection of one who sends something else. Errors of the socket end it too. */
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
