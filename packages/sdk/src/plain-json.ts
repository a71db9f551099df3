/** Deeper values are left to `writeJson`. */
const maxDepth = 64;
/** Longer names of fields are left to `writeJson`, which cuts them. */
const maxNameLength = 256;
/** More values than a payload of the largest size can hold. */
const maxValues = 250_000;

/**
 * Writes a value that consists of what JSON has, as most payloads do: `JSON.stringify` does it ten times faster than `writeJson`. Never throws.
 *
 * @returns undefined for values that JSON.stringify would write differently, or perhaps not at all
 */
export function plainJson(value: unknown): string | undefined {
  if (typeof value === 'string') return JSON.stringify(value);
  try {
    return plainValues(value, 0, 0) > 0 ? JSON.stringify(value) : undefined;
  } catch {
    // A getter or a proxy that throws.
    return undefined;
  }
}

/** Values within a value, itself included, and those counted before; 0 when one of them is not plain, or there are too many. */
function plainValues(value: unknown, depth: number, before: number): number {
  const counted = before + 1;
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return counted;
    case 'number':
      return Number.isFinite(value) ? counted : 0;
    case 'object':
      if (value === null) return counted;
      return depth < maxDepth && counted < maxValues ? plainEntries(value, depth + 1, counted) : 0;
    default:
      return 0;
  }
}

function plainEntries(value: object, depth: number, before: number): number {
  if (typeof (value as { toJSON?: unknown }).toJSON === 'function') return 0;
  let counted = before;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) {
      const entry: unknown = value[index];
      counted = entry === undefined ? counted + 1 : plainValues(entry, depth, counted);
      if (counted === 0) return 0;
    }
    return counted;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return 0;
  for (const name in value) {
    const entry = (value as Record<string, unknown>)[name];
    if (entry === undefined) continue;
    counted = name.length > maxNameLength ? 0 : plainValues(entry, depth, counted);
    if (counted === 0) return 0;
  }
  return counted;
}
