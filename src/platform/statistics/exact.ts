/** Rounds a sum to 15 significant digits, the precision of a double, so that 0.1 + 0.2 is 0.3 and the order of additions does not show. */
export function exact(value: number): number {
  return Number(value.toPrecision(15));
}

/** `part / whole`, or `otherwise` when `whole` is 0. Of whole numbers the nearest double, else rounded as {@link exact}. */
export function ratio<T>(part: number, whole: number, otherwise: T): number | T {
  if (whole === 0) return otherwise;
  return Number.isInteger(part) && Number.isInteger(whole) ? part / whole : exact(exact(part) / exact(whole));
}
