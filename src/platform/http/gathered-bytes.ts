/** Pieces that are kept as they came: most bodies have fewer. */
const keptPieces = 64;
/** Bytes; a smaller piece is copied. */
const smallPiece = 1_024;
const blockBytes = 16_384;

/**
 * The pieces of a body, in order. A client that sends each byte in a chunk of its own makes a buffer of each, which takes some 400 bytes of memory. Of
 * many pieces the small ones are therefore copied together.
 */
export class GatheredBytes {
  #pieces: Buffer[] = [];
  #block = Buffer.alloc(0);
  /** Where the part of the block begins that is not among the pieces, and where it ends. */
  #from = 0;
  #to = 0;
  #length = 0;

  /** Bytes of all pieces. */
  get length(): number {
    return this.#length;
  }

  add(piece: Buffer): void {
    this.#length += piece.length;
    if (piece.length >= smallPiece || this.#pieces.length < keptPieces) {
      this.#endPart();
      this.#pieces.push(piece);
      return;
    }
    if (this.#to + piece.length > this.#block.length) {
      this.#endPart();
      this.#block = Buffer.allocUnsafeSlow(blockBytes);
      this.#from = 0;
      this.#to = 0;
    }
    this.#to += piece.copy(this.#block, this.#to);
  }

  /** All bytes, in memory of their own. The next piece begins anew. */
  take(): Buffer {
    this.#endPart();
    const whole = Buffer.concat(this.#pieces, this.#length);
    this.clear();
    return whole;
  }

  clear(): void {
    this.#pieces = [];
    this.#block = Buffer.alloc(0);
    this.#from = 0;
    this.#to = 0;
    this.#length = 0;
  }

  #endPart(): void {
    if (this.#to > this.#from) this.#pieces.push(this.#block.subarray(this.#from, this.#to));
    this.#from = this.#to;
  }
}
