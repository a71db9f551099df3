import type { Clock } from '../clock/clock.ts';
import type { BucketSize, BucketStore, RateLimit, Taken } from './rate-limit.ts';
import { TokenBuckets } from './token-bucket.ts';

export interface SharedTokenBucketsOptions extends BucketSize {
  store: BucketStore;
  clock: Clock;
  /** Called once when the store fails. */
  onAway(error: unknown): void;
  /** Called once when the store answers again. */
  onBack(): void;
  /** Timeout for a request to the store, in milliseconds of real time. */
  patienceMs?: number;
}

/** This process's view of a bucket. Times are epoch milliseconds. */
interface Known {
  /** Tokens taken ahead, which may be spent until `spareUntil`. */
  spare: number;
  spareUntil: number;
  /** Until then the bucket has no token. */
  emptyUntil: number;
  /** Tokens left in the store at the last answer. */
  left: number;
  /** Time of the last request to the store. */
  at: number;
  /** Requests in the second `second`, and (`before`) in the one before it. */
  second: number;
  requests: number;
  before: number;
}

const defaultPatienceMs = 500;
/** How long a failed store is not asked again. */
const pauseMs = 5_000;
/** How long tokens taken ahead may be spent; the rest is forfeited. */
const spareMs = 1_000;
/** Below this share of the capacity nothing is taken ahead, so that the limit stays exact across processes. */
const comfortableShare = 1 / 3;
const maxKnown = 100_000;
/** Maximum buckets in one request to the store. */
const maxAsked = 1_000;

/**
 * Token buckets shared by several processes (ADR 0007). Each process sends one request to the store at a time; callers that arrive
 * meanwhile share the next one. The store is not asked for a key whose bucket is known to be empty, nor while tokens that were taken ahead
 * for a busy key are left.
 *
 * In a window of `t` seconds all processes together admit at most `capacity + refillPerSecond × (t + 1)`: tokens taken ahead are forfeited
 * after one second. Clocks that differ by `s` seconds add `refillPerSecond × s`, once.
 *
 * When the store fails or times out, it is not asked for some seconds and each process limits by its own buckets.
 */
export class SharedTokenBuckets implements RateLimit {
  readonly #options: SharedTokenBucketsOptions;
  readonly #local: TokenBuckets;
  /** Least recently used first. */
  readonly #known = new Map<string, Known>();
  #waiting = new Map<string, Array<(seconds: number) => void>>();
  #asking = false;
  #away = false;
  #pausedUntil = 0;

  constructor(options: SharedTokenBucketsOptions) {
    this.#options = options;
    this.#local = new TokenBuckets(options);
  }

  take(key: string): number | Promise<number> {
    const now = this.#options.clock.now();
    if (this.#paused(now)) return this.#local.take(key);
    this.#noteRequest(key, now);
    const known = this.#answerLocally(key, now);
    if (known !== null) return known;
    return new Promise((resolve) => {
      const waiting = this.#waiting.get(key);
      if (waiting) waiting.push(resolve);
      else this.#waiting.set(key, [resolve]);
      if (!this.#asking) void this.#askAll();
    });
  }

  wait(key: string): number {
    const now = this.#options.clock.now();
    if (this.#paused(now)) return this.#local.wait(key);
    const known = this.#known.get(key);
    if (!known || now < known.at || (known.spare > 0 && now < known.spareUntil)) return 0;
    return now < known.emptyUntil ? wholeSeconds(known.emptyUntil - now) : 0;
  }

  /** Whether the store is not asked after a failure. A clock that was set back ends the pause. */
  #paused(now: number): boolean {
    return now < this.#pausedUntil && now >= this.#pausedUntil - pauseMs;
  }

  /** The result of {@link take} when the store need not be asked, else null. */
  #answerLocally(key: string, now: number): number | null {
    const known = this.#known.get(key);
    if (!known || now < known.at) return null;
    if (known.spare > 0 && now < known.spareUntil) {
      known.spare -= 1;
      return 0;
    }
    return now < known.emptyUntil ? wholeSeconds(known.emptyUntil - now) : null;
  }

  #noteRequest(key: string, now: number): void {
    const second = Math.floor(now / 1000);
    const fresh = { spare: 0, spareUntil: 0, emptyUntil: 0, left: 0, at: 0, second, requests: 0, before: 0 };
    const known = this.#known.get(key) ?? fresh;
    if (known.second !== second) {
      known.before = known.second === second - 1 ? known.requests : 0;
      known.requests = 0;
      known.second = second;
    }
    known.requests += 1;
    this.#known.delete(key);
    this.#known.set(key, known);
    if (this.#known.size > maxKnown) {
      const oldest = this.#known.keys().next();
      if (!oldest.done) this.#known.delete(oldest.value);
    }
  }

  async #askAll(): Promise<void> {
    this.#asking = true;
    try {
      while (this.#waiting.size > 0) {
        const asked = new Map([...this.#waiting].slice(0, maxAsked));
        for (const key of asked.keys()) this.#waiting.delete(key);
        await this.#ask(asked);
      }
    } finally {
      this.#asking = false;
    }
  }

  /** Never rejects: every request gets an answer. */
  async #ask(all: ReadonlyMap<string, Array<(seconds: number) => void>>): Promise<void> {
    const { store, clock, capacity, refillPerSecond } = this.#options;
    const now = clock.now();
    const asked = new Map<string, Array<(seconds: number) => void>>();
    const wanted = new Map<string, number>();
    for (const [key, waiting] of all) {
      // The previous answer may decide these callers too.
      const rest = waiting.filter((resolve) => {
        const seconds = this.#answerLocally(key, now);
        if (seconds !== null) resolve(seconds);
        return seconds === null;
      });
      if (rest.length === 0) continue;
      asked.set(key, rest);
      wanted.set(key, rest.length + this.#ahead(key));
    }
    if (asked.size === 0) return;
    let taken: ReadonlyMap<string, Taken> | null = null;
    if (!this.#paused(now)) {
      try {
        taken = await this.#withTimeout(store.take({ capacity, refillPerSecond }, wanted, now));
        if (this.#away) this.#options.onBack();
        this.#away = false;
      } catch (error) {
        this.#pausedUntil = now + pauseMs;
        if (!this.#away) this.#options.onAway(error);
        this.#away = true;
      }
    }
    for (const [key, waiting] of asked) this.#answer(key, waiting, taken?.get(key), now);
  }

  #answer(key: string, waiting: ReadonlyArray<(seconds: number) => void>, taken: Taken | undefined, now: number): void {
    if (!taken) {
      for (const resolve of waiting) resolve(this.#local.take(key));
      return;
    }
    const spare = Math.max(0, taken.granted - waiting.length);
    const waitMs = ((1 - Math.min(1, taken.left)) / this.#options.refillPerSecond) * 1000;
    const known = this.#known.get(key);
    if (known) {
      const emptyUntil = taken.left < 1 ? now + waitMs : 0;
      Object.assign(known, { spare, spareUntil: now + spareMs, emptyUntil, left: taken.left, at: now });
    }
    for (const [place, resolve] of waiting.entries()) resolve(place < taken.granted ? 0 : wholeSeconds(waitMs));
  }

  /** Tokens to take ahead: the requests of the last second, at most the refill of one second. */
  #ahead(key: string): number {
    const { capacity, refillPerSecond } = this.#options;
    const known = this.#known.get(key);
    if (!known || known.left < capacity * comfortableShare) return 0;
    return Math.min(known.before, Math.floor(refillPerSecond));
  }

  async #withTimeout<T>(work: Promise<T>): Promise<T> {
    const { promise: late, reject } = Promise.withResolvers<never>();
    const { store, patienceMs = defaultPatienceMs } = this.#options;
    const timer = setTimeout(() => reject(new Error(`${store.name} did not answer within ${patienceMs} ms`)), patienceMs);
    try {
      return await Promise.race([work, late]);
    } finally {
      clearTimeout(timer);
    }
  }
}

function wholeSeconds(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1000));
}
