/** Token buckets by key, in this process or shared with others. */
export interface RateLimit {
  /**
   * Takes one token.
   *
   * @returns 0 when a token was taken, else the whole seconds, at least 1, until one is available. Not a promise when no store is asked.
   */
  take(key: string): number | Promise<number>;
  /**
   * How long a key has to wait, by what this process knows: another may have taken the last token.
   *
   * @returns 0 when a token is available, else the whole seconds, at least 1, until one is
   */
  wait(key: string): number;
}

export interface BucketSize {
  capacity: number;
  refillPerSecond: number;
}

/** A store's answer for one bucket. */
export interface Taken {
  /** The tokens taken, at most those wanted. */
  granted: number;
  /** The tokens left, fractions included. */
  left: number;
}

/** Buckets shared by several processes. Taking is atomic: no token is granted twice. */
export interface BucketStore {
  /** Name for messages to the operator. */
  readonly name: string;
  /**
   * Takes whole tokens from several buckets; from a bucket with fewer than wanted, those that it has. An unknown bucket is full.
   *
   * @param wanted tokens by key, at least 1 each
   * @param nowMs epoch milliseconds of the calling process. A bucket's time never goes back, so clocks that differ by `s` seconds admit
   * at most the refill of `s` seconds more, once.
   */
  take(size: BucketSize, wanted: ReadonlyMap<string, number>, nowMs: number): Promise<ReadonlyMap<string, Taken>>;
  /** Deletes buckets that have refilled completely. Called by a periodic job. */
  forgetFull(size: BucketSize, nowMs: number): Promise<void>;
  /** Resolves when the store answers. Errors: why it does not. */
  ping(): Promise<void>;
  close(): Promise<void>;
}
