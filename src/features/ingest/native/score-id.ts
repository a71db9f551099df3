import { createHash } from 'node:crypto';

/** Where a score without an id came in. */
export interface ScoreOrigin {
  /** Names the body: the same when it is sent again. */
  bodyKey: string;
  /** When the body first came, epoch milliseconds. */
  firstSeenMs: number;
  line: number;
}

/**
 * The id of a score that came without one: a UUIDv7 of the moment at which its body first came, its other bits made of the body and
 * the line, so that the same body sent again names the same scores.
 */
export function scoreIdOf({ bodyKey, firstSeenMs, line }: ScoreOrigin): string {
  const bytes = createHash('sha256').update(`${bodyKey}\n${firstSeenMs}\n${line}`).digest();
  bytes.writeUIntBE(firstSeenMs, 0, 6);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x70;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString('hex', 0, 16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
