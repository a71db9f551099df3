import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';

export interface FileHash {
  bytes: number;
  /** SHA-256 in hexadecimal digits. */
  sha256: string;
}

const chunkBytes = 1024 * 1024;

/**
 * Copies a file, which may grow or change meanwhile; the hash is of what was written. The copy (mode 0600) replaces an existing file.
 *
 * @param maxBytes copies at most this many bytes
 */
export async function copyFileHashed(from: string, to: string, maxBytes = Number.POSITIVE_INFINITY): Promise<FileHash> {
  const target = await open(to, 'w', 0o600);
  try {
    return await readHashed(from, maxBytes, async (chunk) => {
      for (let rest = chunk; rest.length > 0;) rest = rest.subarray((await target.write(rest)).bytesWritten);
    });
  } finally {
    await target.close();
  }
}

/** The hash of a file. */
export function hashFile(path: string): Promise<FileHash> {
  return readHashed(path, Number.POSITIVE_INFINITY, async () => undefined);
}

async function readHashed(path: string, maxBytes: number, take: (chunk: Uint8Array) => Promise<void>): Promise<FileHash> {
  const hash = createHash('sha256');
  const buffer = Buffer.allocUnsafe(chunkBytes);
  const source = await open(path, 'r');
  try {
    let bytes = 0;
    while (bytes < maxBytes) {
      const { bytesRead } = await source.read(buffer, 0, Math.min(chunkBytes, maxBytes - bytes), null);
      if (bytesRead === 0) break;
      const chunk = buffer.subarray(0, bytesRead);
      hash.update(chunk);
      await take(chunk);
      bytes += bytesRead;
    }
    return { bytes, sha256: hash.digest('hex') };
  } finally {
    await source.close();
  }
}
