/** One business outcome of a trace as it is stored (docs/semantics.md, "Outcomes"). */
export interface OutcomeRecord {
  /** An outcome with the same id replaces it. */
  outcomeId: string;
  traceId: string;
  kind: string;
  /** Epoch milliseconds. */
  occurredMs: number;
  /** In {@link OutcomeRecord.currency}; null when it was left out. */
  value: number | null;
  /** ISO 4217 code. */
  currency: string;
  /** null when it was left out. */
  success: boolean | null;
  /** `''` when it was left out. */
  idempotencyKey: string;
  /** JSON text of an object, `''` when absent. */
  metadata: string;
}
