/** Converts a stored text for a response: `''`, which stands for "left out", becomes null. */
export function textOf(stored: string): string | null {
  return stored === '' ? null : stored;
}

/** The ISO 8601 timestamp, to the millisecond, of nanoseconds since the epoch, also as decimal text. */
export function timestampOf(ns: bigint | string): string {
  return new Date(Number(BigInt(ns) / 1_000_000n)).toISOString();
}

/** SQL of a time column as the nanoseconds since the epoch in decimal text: a JSON number would not hold them. */
export function nanosecondsSql(column: string): string {
  return `toString(reinterpretAsInt64(${column}))`;
}
