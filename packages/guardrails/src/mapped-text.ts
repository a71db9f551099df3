/** A text made from another one, with the place of each of its UTF-16 units there. */
export class MappedText {
  readonly text: string;
  /** For each unit where what it was made from begins; null where the text is the original. */
  readonly #starts: readonly number[] | null;
  /** For each unit where what it was made from ends. */
  readonly #ends: readonly number[] | null;

  constructor(text: string, starts: readonly number[] | null = null, ends: readonly number[] | null = null) {
    this.text = text;
    this.#starts = starts;
    this.#ends = ends;
  }

  /** The range of the original from which a range, not empty, was made. */
  rangeOf(start: number, end: number): { start: number; end: number } {
    return { start: this.#starts?.[start] ?? start, end: this.#ends?.[end - 1] ?? end };
  }

  /** The offset of the original from which the unit at an offset was made. */
  startOf(offset: number): number {
    return this.#starts?.[offset] ?? offset;
  }

  /** The offset of the original before which everything was made into what stands before an offset. @param length of the original */
  originalOffset(offset: number, length: number): number {
    if (!this.#starts) return offset;
    return offset < this.text.length ? (this.#starts[offset] ?? length) : length;
  }

  /** The first offset that was made from an offset of the original, or from one behind it. */
  offsetOf(original: number): number {
    const starts = this.#starts;
    if (!starts) return original;
    let [low, high] = [0, starts.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) < original) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /**
   * The text with each match of an expression replaced.
   *
   * @param change gives for a match a text of its length, in which `\0` stands for a unit that is left out
   */
  edit(expression: RegExp, change: (match: string) => string): MappedText {
    const { text } = this;
    expression.lastIndex = 0;
    if (!expression.test(text)) return this;
    expression.lastIndex = 0;
    const edited = text.replaceAll(expression, change);
    if (!edited.includes('\0')) return new MappedText(edited, this.#starts, this.#ends);
    const starts: number[] = [];
    const ends: number[] = [];
    for (let at = 0; at < edited.length; at += 1) {
      if (edited.charCodeAt(at) === 0) continue;
      starts.push(this.#starts?.[at] ?? at);
      ends.push(this.#ends?.[at] ?? at + 1);
    }
    return new MappedText(edited.replaceAll('\0', ''), starts, ends);
  }
}
