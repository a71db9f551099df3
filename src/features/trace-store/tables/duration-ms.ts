/** Milliseconds between two instants, never negative; null when the second is not known. */
export function durationMs(startNs: bigint, endNs: bigint | null): number | null {
  if (endNs === null) return null;
  return endNs <= startNs ? 0 : Number(endNs - startNs) / 1e6;
}
