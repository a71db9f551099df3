/** An object from a library or the network, of which nothing is certain. */
export type Loose = Readonly<Record<string, unknown>>;

export function recordOf(value: unknown): Loose | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Loose) : undefined;
}

/** The objects of a list. */
export function listOf(value: unknown): Loose[] {
  return Array.isArray(value) ? (value as unknown[]).map(recordOf).filter((entry) => entry !== undefined) : [];
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
