const hourNs = 3_600_000_000_000n;

/** The start of the hour of a time in nanoseconds, epoch seconds. */
export function hourOf(ns: bigint): number {
  return Number(ns / hourNs) * 3600;
}
