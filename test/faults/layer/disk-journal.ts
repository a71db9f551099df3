/** One change of a directory, as recorded by disk-layer.c. Inodes are those of the live directory. */
export type JournalRecord = { sequence: number } & (
  | { operation: 'create' | 'mkdir'; inode: number; path: string; mode: number }
  | { operation: 'write'; inode: number; offset: number; bytes: Buffer }
  | { operation: 'truncate'; inode: number; size: number }
  | { operation: 'rename' | 'link' | 'exchange'; path: string; to: string }
  | { operation: 'unlink' | 'rmdir'; path: string }
  | { operation: 'symlink'; inode: number; target: string; path: string }
  /** Everything of the file or directory up to the record `upTo` is durable. */
  | { operation: 'sync'; inode: number; upTo: number }
);

const headerBytes = 40;

/**
 * Reads a journal. An incomplete last record is ignored: its operation had not returned when the process was killed.
 *
 * Errors: for an operation that the layer cannot record.
 */
export function* readJournal(bytes: Buffer): Generator<JournalRecord> {
  for (let at = 0; at + headerBytes <= bytes.length;) {
    const number = (offset: number) => Number(bytes.readBigUInt64LE(at + offset));
    const [operation, first, second, length] = [0, 4, 8, 12].map((offset) => bytes.readUInt32LE(at + offset));
    const [inode, extra, sequence] = [number(16), number(24), number(32)];
    const firstAt = at + headerBytes;
    const secondAt = firstAt + (first ?? 0);
    const dataAt = secondAt + (second ?? 0);
    const end = dataAt + (length ?? 0);
    if (end > bytes.length) return;
    const path = bytes.toString('utf8', firstAt, secondAt);
    const other = bytes.toString('utf8', secondAt, dataAt);
    switch (operation) {
      case 1:
        yield { sequence, operation: 'create', inode, path, mode: extra };
        break;
      case 2:
        yield { sequence, operation: 'mkdir', inode, path, mode: extra };
        break;
      case 3:
        yield { sequence, operation: 'write', inode, offset: extra, bytes: bytes.subarray(dataAt, end) };
        break;
      case 4:
        yield { sequence, operation: 'truncate', inode, size: extra };
        break;
      case 5:
        yield { sequence, operation: 'rename', path, to: other };
        break;
      case 6:
        yield { sequence, operation: 'unlink', path };
        break;
      case 7:
        yield { sequence, operation: 'rmdir', path };
        break;
      case 8:
        yield { sequence, operation: 'link', path, to: other };
        break;
      case 9:
        yield { sequence, operation: 'symlink', inode, target: path, path: other };
        break;
      case 10:
        yield { sequence, operation: 'sync', inode, upTo: extra };
        break;
      case 11:
        yield { sequence, operation: 'exchange', path, to: other };
        break;
      default:
        throw new Error(`the layer cannot follow ${path} ${other}`);
    }
    at = end;
  }
}
