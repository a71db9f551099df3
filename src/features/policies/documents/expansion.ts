import type { PlacedValue } from './placed.ts';

/** What the aliases of all files of a request may add. */
const limits = { aliases: 1_000, values: 50_000, characters: 1_048_576 };

interface Size {
  values: number;
  characters: number;
}

/** Counts what aliases expand to. Counting visits every shared value once, so an expansion that is refused costs nothing. */
export class Expansion {
  readonly #sizes = new Map<PlacedValue, Size>();
  #aliases = 0;
  #values = 0;
  #characters = 0;

  /** Counts an alias of a value; null, or why it is refused. */
  expand(target: PlacedValue): string | null {
    const { values, characters } = this.#sizeOf(target);
    this.#aliases += 1;
    this.#values += values;
    this.#characters += characters;
    if (this.#aliases > limits.aliases) return `There are more than ${limits.aliases} aliases. Write the values out.`;
    if (this.#values > limits.values || this.#characters > limits.characters) {
      this.#values -= values;
      this.#characters -= characters;
      return 'The aliases expand to too much. Use fewer of them.';
    }
    return null;
  }

  #sizeOf(value: PlacedValue): Size {
    const known = this.#sizes.get(value);
    if (known) return known;
    const size = { values: 1, characters: value.type === 'scalar' ? String(value.value).length : 0 };
    const add = (child: PlacedValue) => {
      const of = this.#sizeOf(child);
      size.values += of.values;
      size.characters += of.characters;
    };
    if (value.type === 'list') value.items.forEach(add);
    if (value.type === 'mapping') {
      for (const [key, entry] of value.entries) {
        size.characters += key.length;
        add(entry.value);
      }
    }
    this.#sizes.set(value, size);
    return size;
  }
}
