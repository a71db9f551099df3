import { stringify } from 'uuid';

/**
 * A UUID of version 7 whose other bits are those of a digest, so that the same content always has the same id.
 *
 * @param digest at least 16 bytes
 * @param ms its time, epoch milliseconds
 */
export function uuidOfDigest(digest: Uint8Array, ms: number): string {
  const bytes = Buffer.from(digest.subarray(0, 16));
  bytes.writeUIntBE(ms, 0, 6);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x70;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return stringify(bytes);
}
