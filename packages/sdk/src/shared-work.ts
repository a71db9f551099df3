import type { Clock } from './clock.ts';

interface Work<T> {
  promise: Promise<T>;
  /** Afterwards it is not waited for. */
  untilMs: number;
}

/** Milliseconds beyond its time limit after which work never ends. */
const graceMs = 2_000;

/**
 * Work that runs once at a time per key and is shared by its callers. Some platforms abort the requests of a handler once it has answered
 * (Cloudflare Workers), and their promises then never settle: a caller that waits longer than the time limit starts the work again.
 */
export class SharedWork<K, T> {
  readonly #clock: Clock;
  readonly #limitMs: number;
  readonly #underWay = new Map<K, Work<T>>();

  /** @param timeoutMs milliseconds after which the work fails by itself, where timers run */
  constructor(clock: Clock, timeoutMs: number) {
    this.#clock = clock;
    this.#limitMs = timeoutMs + graceMs;
  }

  isUnderWay(key: K): boolean {
    return (this.#underWay.get(key)?.untilMs ?? 0) > this.#clock.now();
  }

  /** Joins the work that is under way, or begins it. */
  async run(key: K, begin: () => Promise<T>): Promise<T> {
    for (;;) {
      const work = this.isUnderWay(key) ? this.#underWay.get(key) : undefined;
      if (!work) return this.#begin(key, begin);
      if (await this.#ends(work)) return work.promise;
    }
  }

  /** Resolves when all work that is under way now has ended. Never rejects. */
  async settled(): Promise<void> {
    await Promise.all(Array.from(this.#underWay.values(), (work) => this.#ends(work)));
  }

  #begin(key: K, begin: () => Promise<T>): Promise<T> {
    const work = { promise: begin(), untilMs: this.#clock.now() + this.#limitMs };
    this.#underWay.set(key, work);
    const end = () => {
      if (this.#underWay.get(key) === work) this.#underWay.delete(key);
    };
    work.promise.then(end, end);
    return work.promise;
  }

  /** Resolves with whether work has ended, when it has, or when it never will. */
  async #ends({ promise, untilMs }: Work<T>): Promise<boolean> {
    let cancel = () => {};
    const isEnded = await new Promise<boolean>((resolve) => {
      cancel = this.#clock.after(Math.max(0, untilMs - this.#clock.now()), () => resolve(false));
      const end = () => resolve(true);
      promise.then(end, end);
    });
    cancel();
    return isEnded;
  }
}
