/** The ids of a shared trace: those that a redaction must not show are numbered. */
export class ShownIds {
  readonly #replaced: ReadonlyMap<string, string>;

  /** @param replaced ids by what stands for them; others are shown as they are */
  constructor(replaced: ReadonlyMap<string, string>) {
    this.#replaced = replaced;
  }

  of(id: string): string {
    return this.#replaced.get(id) ?? id;
  }

  ofAny(id: string | null): string | null {
    return id === null ? null : this.of(id);
  }
}
