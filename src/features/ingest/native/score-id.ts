import { createHash } from 'node:crypto';

/** The origin of a score without an id. */
export interface ScoreOrigin {
  /** Identifies the body; equal for a repeated body. */
  bodyKey: string;
  /** First arrival of the body, epoch milliseconds. */
  firstSeenMs: number;
  line: number;
}

/**
 * The id of a score that was sent without one: a UUIDv7 of the first arrival of its body, with the other bits derived from body and line. A
 * repeated body gives its scores the same ids.
 */
export function scoreIdOf({ bodyKey, firstSeenMs, line }: ScoreOrigin): string {
  const bytes = createHash('sha256').update(`${bodyKey}\n${firstSeenMs}\n${line}`).digest();
  bytes.writeUIntBE(firstSeenMs, 0, 6);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x70;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString('hex', 0, 16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
