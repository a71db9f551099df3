import type { PlacedValue } from './placed.ts';

/** A value without places. Values that aliases share are shared here too. */
export function plainValue(placed: PlacedValue): unknown {
  return new Plain().value(placed);
}

class Plain {
  readonly #made = new Map<unknown, unknown>();

  value(placed: PlacedValue): unknown {
    if (placed.type === 'scalar') return placed.value;
    // An alias has the items of its anchor at another offset.
    const shared = placed.type === 'list' ? placed.items : placed.entries;
    const made = this.#made.get(shared);
    if (made !== undefined) return made;
    const value =
      placed.type === 'list'
        ? placed.items.map((item) => this.value(item))
        : Object.fromEntries([...placed.entries].map(([key, entry]) => [key, this.value(entry.value)]));
    this.#made.set(shared, value);
    return value;
  }
}

/** What a path leads to. */
export interface Found {
  /** Where the value is; where it is missing, the mapping or list that should have it. */
  offset: number;
  /** Where its key is; undefined for an item of a list, and where it is missing. */
  keyOffset: number | undefined;
  /** Undefined where it is missing. */
  value: PlacedValue | undefined;
}

/** Follows keys and indexes into a value, as far as they lead. */
export function findPlace(root: PlacedValue, path: ReadonlyArray<string | number>): Found {
  let found: Found = { offset: root.offset, keyOffset: undefined, value: root };
  for (const step of path) {
    const { value, offset } = found;
    const entry = value?.type === 'mapping' ? value.entries.get(String(step)) : undefined;
    const item = value?.type === 'list' ? value.items[Number(step)] : undefined;
    if (entry) found = { offset: entry.value.offset, keyOffset: entry.offset, value: entry.value };
    else if (item) found = { offset: item.offset, keyOffset: undefined, value: item };
    else return { offset, keyOffset: undefined, value: undefined };
  }
  return found;
}
