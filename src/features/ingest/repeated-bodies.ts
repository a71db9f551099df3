import { createHash } from 'node:crypto';
import { repetitionMs } from '../trace-store/index.ts';
import type { Clock } from '../../platform/clock/clock.ts';

/** Some 12 MB. The rate limit lets one key send 3,300 bodies in ten minutes. */
const maxBodies = 100_000;

interface Seen {
  firstSeenMs: number;
  counted: boolean;
}

/** What is known of a body. */
export interface KnownBody {
  /** Names the key and the bytes as they were sent. */
  digest: string;
  /** When it first came, epoch milliseconds; a repetition within the window has the first one's. */
  firstSeenMs: number;
  /** Says that the body is now counted. False when it was already: then it counts nothing. */
  count(): boolean;
  /** Takes {@link count} back, since the body was not stored after all. */
  uncount(): void;
}

/**
 * Remembers the bodies of the last minutes by key and SHA-256 of the bytes as they were sent (compressed ones as such), for both
 * endpoints. In memory: a body repeated after a restart, or on another replica, is detected when its batch is counted (`UsageStore`), and
 * counts nothing then.
 */
export class RepeatedBodies {
  readonly #clock: Clock;
  readonly #maxBodies: number;
  /** In the order in which they first came. */
  readonly #seen = new Map<string, Seen>();

  constructor(clock: Clock, limit: number = maxBodies) {
    this.#clock = clock;
    this.#maxBodies = limit;
  }

  look(keyId: string, body: Buffer): KnownBody {
    const digest = createHash('sha256').update(`${keyId}\n`).update(body).digest('base64');
    const now = this.#clock.now();
    let seen = this.#seen.get(digest);
    if (!seen || now - seen.firstSeenMs >= repetitionMs) {
      seen = { firstSeenMs: now, counted: false };
      this.#remember(digest, seen);
    }
    const known = seen;
    return {
      digest,
      firstSeenMs: known.firstSeenMs,
      count: () => {
        if (known.counted) return false;
        known.counted = true;
        return true;
      },
      uncount: () => {
        known.counted = false;
      },
    };
  }

  #remember(digest: string, seen: Seen): void {
    this.#seen.delete(digest);
    this.#seen.set(digest, seen);
    for (const [oldest, { firstSeenMs }] of this.#seen) {
      if (this.#seen.size <= this.#maxBodies && seen.firstSeenMs - firstSeenMs < repetitionMs) break;
      this.#seen.delete(oldest);
    }
  }
}
