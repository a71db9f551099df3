/** The rows that are ticked: these, or all that match but these. */
export interface Ticks {
  all: boolean;
  keys: ReadonlySet<string>;
}

export const noTicks: Ticks = { all: false, keys: new Set() };
export const allTicks: Ticks = { all: true, keys: new Set() };

/** Whether a row is ticked. */
export function isTicked({ all, keys }: Ticks, key: string): boolean {
  return keys.has(key) !== all;
}

/** The number of ticked rows. @param total rows that match; null while it is not known */
export function tickCount({ all, keys }: Ticks, total: number | null): number | null {
  if (!all) return keys.size;
  return total === null ? null : Math.max(0, total - keys.size);
}

/** Ticks rows, or takes their ticks. Pure function. */
export function ticked(ticks: Ticks, keys: readonly string[], on: boolean): Ticks {
  const next = new Set(ticks.keys);
  for (const key of keys) {
    if (on === ticks.all) next.delete(key);
    else next.add(key);
  }
  return { all: ticks.all, keys: next };
}

/** The keys of the rows between two, both included; the second alone where the first is not listed. */
export function keysBetween(listed: readonly string[], from: string | null, to: string): readonly string[] {
  const [start, end] = [from === null ? -1 : listed.indexOf(from), listed.indexOf(to)];
  return start === -1 || end === -1 ? [to] : listed.slice(Math.min(start, end), Math.max(start, end) + 1);
}
