/** Results of one guardrail in a {@link GuardrailActivityRecord}. */
export interface GuardrailCounts {
  /** Slug. */
  guardrail: string;
  /** `''` when it is not known. */
  type: string;
  /** Results of every action. */
  checks: number;
  flagged: number;
  redacted: number;
  blocked: number;
  failed: number;
  /** Milliseconds of the results that were measured, in any order. */
  latencies: readonly number[];
}

/** Guardrail checks of one moment, stage and environment (docs/semantics.md, "Guardrail activity"). */
export interface GuardrailActivityRecord {
  /** A record with the same id replaces it. */
  activityId: string;
  atMs: number;
  stage: 'input' | 'output';
  /** `''` when the check named none. */
  environment: string;
  /** Checks, and how many of them had each action. */
  checks: number;
  flagged: number;
  redacted: number;
  blocked: number;
  /** Checks in which a guardrail failed. */
  failed: number;
  guardrails: readonly GuardrailCounts[];
}
