const slabBytes = 262_144;
/** Empty blocks that are kept for later. */
const maxFree = 8;

interface Slab {
  bytes: Uint8Array<ArrayBuffer>;
  /** Texts in it that are still needed. */
  texts: number;
}

/** A text in UTF-8. */
export interface StoredText {
  slab: Slab;
  from: number;
  /** Exclusive. */
  to: number;
}

/**
 * Keeps texts as UTF-8 in large blocks, one after the other with a byte between them for a separator. The blocks are used again: as strings, and in ever new blocks, texts would keep the
 * garbage collector busy.
 */
export class Slabs {
  readonly #encoder = new TextEncoder();
  readonly #free: Slab[] = [];
  #slab: Slab = { bytes: new Uint8Array(0), texts: 0 };
  #used = 0;

  store(text: string): StoredText {
    let from = this.#used;
    let { read, written } = this.#encoder.encodeInto(text, this.#slab.bytes.subarray(from));
    if (read < text.length) {
      this.#slab = this.#emptySlab(text.length * 3);
      from = 0;
      ({ read, written } = this.#encoder.encodeInto(text, this.#slab.bytes));
    }
    const to = from + written;
    this.#used = to + 1;
    this.#slab.texts += 1;
    return { slab: this.#slab, from, to };
  }

  /** A text is not needed any more. */
  release({ slab }: StoredText): void {
    slab.texts -= 1;
    if (slab.texts > 0) return;
    if (slab === this.#slab) this.#used = 0;
    else if (slab.bytes.length === slabBytes && this.#free.length < maxFree) this.#free.push(slab);
  }

  /** @param bytes what the text may take: a unit of UTF-16 at most 3 bytes */
  #emptySlab(bytes: number): Slab {
    const free = bytes <= slabBytes ? this.#free.pop() : undefined;
    return free ?? { bytes: new Uint8Array(Math.max(slabBytes, bytes)), texts: 0 };
  }
}

/** Copies texts into a block, each after a separator but the first. Returns its size. */
export function copyTexts(texts: readonly StoredText[], separator: number, target: Uint8Array, start: number): number {
  let at = start;
  let from = texts[0]?.from ?? 0;
  for (const [index, { slab, to }] of texts.entries()) {
    const next = texts[index + 1];
    // Those that were stored one after the other are copied together, with the bytes between them.
    if (next?.slab === slab && next.from === to + 1) slab.bytes[to] = separator;
    else {
      if (at > start) target[at++] = separator;
      target.set(slab.bytes.subarray(from, to), at);
      at += to - from;
      from = next?.from ?? 0;
    }
  }
  return at;
}
