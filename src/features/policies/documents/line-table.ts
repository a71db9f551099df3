/** Lines and columns of a text, both from 1; columns count UTF-16 units. A line ends after a line feed. */
export class LineTable {
  readonly #starts: number[] = [0];
  readonly #length: number;

  constructor(text: string) {
    this.#length = text.length;
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) this.#starts.push(at + 1);
  }

  /** The place of an offset; one beyond the text is taken as its end. */
  at(offset: number): { line: number; column: number } {
    const within = Math.max(0, Math.min(offset, this.#length));
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.#starts[middle] ?? 0) <= within) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: within - (this.#starts[low] ?? 0) + 1 };
  }
}
