import type { Clock } from '../clock/clock.ts';
import type { BucketSize, BucketStore, RateLimit, Taken } from './rate-limit.ts';
import { TokenBuckets } from './token-bucket.ts';

export interface SharedTokenBucketsOptions extends BucketSize {
  store: BucketStore;
  clock: Clock;
  /** Told once when the store fails, and what is done meanwhile. */
  onAway(error: unknown): void;
  /** Told once when it answers again. */
  onBack(): void;
  /** Longest wait for the store, in milliseconds of real time. */
  patienceMs?: number;
}

/** What this process knows of a bucket. */
interface Known {
  /** Tokens taken ahead, which may be spent until `spareUntil`. */
  spare: number;
  spareUntil: number;
  /** Until then nobody can have a token. */
  emptyUntil: number;
  /** What the store had left when it was last asked. */
  left: number;
  /** When it was last asked. */
  at: number;
  /** Requests in the second that began at `second`, and in the one before. */
  second: number;
  requests: number;
  before: number;
}

const defaultPatienceMs = 500;
/** How long a store that failed is not asked. */
const restMs = 5_000;
/** How long tokens taken ahead may be spent; what is left then is forfeited. */
const spareMs = 1_000;
/** Below this share of its capacity nothing is taken ahead: near its end a bucket is exact, whoever takes from it. */
const comfortableShare = 1 / 3;
const mostKnown = 100_000;
/** Most buckets of one question. */
const mostAsked = 1_000;

/**
 * Token buckets that several processes share (ADR 0007). One question is under way at a time, for all requests that came meanwhile, so
 * that the store is asked seldom when it is asked much. No question at all is needed for a request that is refused until a time which the store
 * has told, or that takes a token which was taken ahead for a busy key.
 *
 * In any window of `t` seconds all processes together let through at most `capacity + refillPerSecond × (t + 1)`: what one may hold ahead was
 * taken within the last second and is forfeited after it. (Clocks that differ by `s` seconds add `refillPerSecond × s`, once.)
 *
 * A store that does not answer in time is left alone for some seconds, and each process counts for itself.
 */
export class SharedTokenBuckets implements RateLimit {
  readonly #options: SharedTokenBucketsOptions;
  readonly #local: TokenBuckets;
  /** Longest unused first. */
  readonly #known = new Map<string, Known>();
  #waiting = new Map<string, Array<(seconds: number) => void>>();
  #asking = false;
  #away = false;
  #restUntil = 0;

  constructor(options: SharedTokenBucketsOptions) {
    this.#options = options;
    this.#local = new TokenBuckets(options);
  }

  take(key: string): number | Promise<number> {
    const now = this.#options.clock.now();
    if (this.#resting(now)) return this.#local.take(key);
    this.#noteRequest(key, now);
    const known = this.#answerHere(key, now);
    if (known !== null) return known;
    return new Promise((resolve) => {
      const waiting = this.#waiting.get(key);
      if (waiting) waiting.push(resolve);
      else this.#waiting.set(key, [resolve]);
      if (!this.#asking) void this.#askAll();
    });
  }

  /** A clock that was set back ends the rest. */
  #resting(now: number): boolean {
    return now < this.#restUntil && now >= this.#restUntil - restMs;
  }

  /** What can be said of a request without the store: see {@link take}; null when it has to be asked. */
  #answerHere(key: string, now: number): number | null {
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
    if (this.#known.size > mostKnown) {
      const oldest = this.#known.keys().next();
      if (!oldest.done) this.#known.delete(oldest.value);
    }
  }

  async #askAll(): Promise<void> {
    this.#asking = true;
    try {
      while (this.#waiting.size > 0) {
        const asked = new Map([...this.#waiting].slice(0, mostAsked));
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
      // The answer to the question before may be one to these too.
      const rest = waiting.filter((resolve) => {
        const seconds = this.#answerHere(key, now);
        if (seconds !== null) resolve(seconds);
        return seconds === null;
      });
      if (rest.length === 0) continue;
      asked.set(key, rest);
      wanted.set(key, rest.length + this.#ahead(key));
    }
    if (asked.size === 0) return;
    let taken: ReadonlyMap<string, Taken> | null = null;
    if (!this.#resting(now)) {
      try {
        taken = await this.#inTime(store.take({ capacity, refillPerSecond }, wanted, now));
        if (this.#away) this.#options.onBack();
        this.#away = false;
      } catch (error) {
        this.#restUntil = now + restMs;
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
      const emptyUntil = taken.granted < waiting.length ? now + waitMs : 0;
      Object.assign(known, { spare, spareUntil: now + spareMs, emptyUntil, left: taken.left, at: now });
    }
    for (const [place, resolve] of waiting.entries()) resolve(place < taken.granted ? 0 : wholeSeconds(waitMs));
  }

  /** How many tokens to take ahead: what a busy key will need within the second, at most what is refilled in it. */
  #ahead(key: string): number {
    const { capacity, refillPerSecond } = this.#options;
    const known = this.#known.get(key);
    if (!known || known.left < capacity * comfortableShare) return 0;
    return Math.min(known.before, Math.floor(refillPerSecond));
  }

  async #inTime<T>(work: Promise<T>): Promise<T> {
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
