import { open, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Quarantine } from './quarantine.ts';
import { scanSegment, segmentFileName, segmentIdOf } from './segment-format.ts';
import type { SegmentInfo } from './wal.ts';

/** The existing segments in a log's directory. */
export interface RecoveredSegments {
  /** Segments with readable records, oldest first. */
  closed: SegmentInfo[];
  /** Files without readable records, to be removed once a newer segment exists, whose name records the highest id. */
  empty: string[];
  /** The highest id ever assigned; 0 for none. */
  newestId: number;
  /** Bytes of a record without its end that were cut off; 0 for none. */
  tornBytes: number;
}

/**
 * Scans the segments of a directory. Truncates a torn tail of the newest one, which was never acknowledged; other unreadable bytes are moved to
 * quarantine (rules: segment-format.ts).
 *
 * @param onTornTail called with the file and the bytes that were cut off
 */
export async function recoverSegments(
  directory: string,
  quarantine: Quarantine,
  onTornTail?: (file: string, bytes: number) => void,
): Promise<RecoveredSegments> {
  const ids = (await readdir(directory))
    .map(segmentIdOf)
    .filter((id) => id !== null)
    .toSorted((left, right) => left - right);
  const recovered: RecoveredSegments = { closed: [], empty: [], newestId: ids.at(-1) ?? 0, tornBytes: 0 };
  for (const id of ids) {
    const path = join(directory, segmentFileName(id));
    const bytes = await readFile(path);
    const { records, damage, tornAt } = scanSegment(bytes, id);
    if (tornAt !== null && tornAt < bytes.length) {
      if (id === recovered.newestId) {
        await cut(path, tornAt);
        // At 0 the header of the segment is torn, and no record was begun.
        if (tornAt > 0) {
          recovered.tornBytes = bytes.length - tornAt;
          onTornTail?.(path, recovered.tornBytes);
        }
      } else damage.push({ from: tornAt, to: bytes.length });
    }
    await quarantine.keep(id, bytes, damage);
    const size = id === recovered.newestId ? (tornAt ?? bytes.length) : bytes.length;
    if (records.length > 0) recovered.closed.push({ id, path, bytes: size, records: records.length });
    else recovered.empty.push(path);
  }
  return recovered;
}

async function cut(path: string, length: number): Promise<void> {
  const file = await open(path, 'r+');
  try {
    await file.truncate(length);
    await file.sync();
  } finally {
    await file.close();
  }
}
