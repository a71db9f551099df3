/** Pieces that are put together. Bodies of the usual 64 KiB a piece do not have as many up to 16 MiB, and are copied once. */
const groupSize = 256;

/**
 * The pieces of a body, in order. A client that sends each byte in a chunk of its own makes a buffer of each, which takes some 400 bytes
 * of memory. Many pieces are therefore put together as they come.
 */
export class GatheredBytes {
  #groups: Buffer[] = [];
  /** The pieces after those of the groups, fewer than {@link groupSize}. */
  #latest: Buffer[] = [];
  #length = 0;

  /** Bytes of all pieces. */
  get length(): number {
    return this.#length;
  }

  add(piece: Buffer): void {
    this.#length += piece.length;
    if (this.#latest.push(piece) < groupSize) return;
    this.#groups.push(Buffer.concat(this.#latest));
    this.#latest = [];
  }

  /** All bytes, in memory of their own. The next piece begins anew. */
  take(): Buffer {
    const whole = Buffer.concat([...this.#groups, ...this.#latest], this.#length);
    this.clear();
    return whole;
  }

  clear(): void {
    this.#groups = [];
    this.#latest = [];
    this.#length = 0;
  }
}
