/**
 * SQL for a duration rounded to 8 significant bits, a relative error of at most 2^-8 (docs/semantics.md, "Percentiles"). Sealed and
 * unsealed hours use the same rounding, so that sealing changes no percentile.
 */
export function roundedDuration(column: string): string {
  const dropped = 45;
  return `reinterpretAsFloat64(bitAnd(reinterpretAsUInt64(${column}) + bitShiftLeft(toUInt64(1), ${dropped - 1}), bitNot(bitShiftLeft(toUInt64(1), ${dropped}) - 1)))`;
}

/** SQL for the hash of a trace id in the count of distinct traces. */
export const traceHash = 'sipHash64(trace_id)';
