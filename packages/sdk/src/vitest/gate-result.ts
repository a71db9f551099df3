export interface GateCheck {
  name: 'pass_rate_drop' | 'min_pass_rate' | 'max_error_rate' | 'p95_latency_increase' | 'cost_increase' | 'completed';
  baseline: number | null;
  candidate: number | null;
  /** What `limit` is compared with. */
  delta: number | null;
  limit: number | null;
  passed: boolean;
  verdict: 'pass' | 'fail' | 'inconclusive';
  ciLow: number | null;
  ciHigh: number | null;
  /** Of an inconclusive check: about how many items would decide it. */
  itemsNeeded?: number | null | undefined;
}

interface GateSide {
  status: 'pending' | 'passed' | 'failed' | 'error' | 'cancelled';
  output: unknown;
}

export interface GateResult {
  pending: false;
  passed: boolean;
  verdict: 'pass' | 'fail' | 'inconclusive';
  checks: GateCheck[];
  /** Items that passed in the baseline and not in the candidate; at most 100. */
  regressions: { datasetItemId: string; baseline: GateSide; candidate: GateSide }[];
  /** Dataset items in both runs. */
  compared: number;
  onlyInOne: number;
}
