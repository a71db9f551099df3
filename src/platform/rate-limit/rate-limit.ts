/** Token buckets by key, here or shared with other processes. */
export interface RateLimit {
  /**
   * Takes one token.
   *
   * @returns 0 when there was one, else the whole seconds, at least 1, until there is; at once where nobody else need be asked
   */
  take(key: string): number | Promise<number>;
}

export interface BucketSize {
  capacity: number;
  refillPerSecond: number;
}

/** What a store answers about one bucket. */
export interface Taken {
  /** Of the tokens that were wanted, those that there were. */
  granted: number;
  /** What is left, a fraction of one included. */
  left: number;
}

/** Buckets that several processes take from. Taking is atomic: no token is granted twice. */
export interface BucketStore {
  /** For messages to the operator. */
  readonly name: string;
  /**
   * Takes whole tokens out of several buckets; of one that holds fewer than wanted, those it has. A bucket that is not known is full.
   *
   * @param wanted by key, at least 1 each
   * @param nowMs of the process that asks, epoch milliseconds. A bucket's time never goes back, so that clocks which differ by `s`
   * seconds let through what is refilled in `s` seconds once, and no more.
   */
  take(size: BucketSize, wanted: ReadonlyMap<string, number>, nowMs: number): Promise<ReadonlyMap<string, Taken>>;
  /** Deletes buckets that nobody has taken from for so long that they are full. A job. */
  forgetFull(size: BucketSize, nowMs: number): Promise<void>;
  close(): Promise<void>;
}
