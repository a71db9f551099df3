import { createHash } from 'node:crypto';
import { uuidOfDigest } from '../../../platform/crypto/uuid-of-digest.ts';

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
  return uuidOfDigest(createHash('sha256').update(`${bodyKey}\n${firstSeenMs}\n${line}`).digest(), firstSeenMs);
}
