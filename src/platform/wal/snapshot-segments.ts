import { copyFile, link, mkdir, open, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { installationFile } from './log-installation.ts';
import { segmentHeaderBytes } from './segment-format.ts';
import type { SegmentInfo } from './wal.ts';

export interface SegmentsToKeep {
  /** The log's own directory. */
  from: string;
  /** Created; must not exist. */
  into: string;
  closed: readonly SegmentInfo[];
  newestPath: string;
}

/** Links closed segments into a directory that can be opened as a log; see `OpenedWal.snapshot`. */
export async function snapshotSegments({ from, into, closed, newestPath }: SegmentsToKeep): Promise<void> {
  await mkdir(into, { mode: 0o700 });
  await copyFile(join(from, 'log-id'), join(into, 'log-id'));
  await copyFile(join(from, installationFile), join(into, installationFile)).catch(unlessMissing);
  for (const { path } of closed) {
    // A segment that is missing was consumed and removed.
    await link(path, join(into, basename(path))).catch(unlessMissing);
  }
  // Header only: the newest segment's records came after the call, and it still grows.
  await writeFile(join(into, basename(newestPath)), await beginningOf(newestPath), { mode: 0o600 });
}

function unlessMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}

async function beginningOf(path: string): Promise<Uint8Array> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(segmentHeaderBytes), 0, segmentHeaderBytes, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
