import type { GateResult } from '../../../contract/simulation-gate.ts';
import type { BatchRun } from '../../../contract/simulations.ts';
import type { LinkedRegression } from './regression-links.ts';

/** What the gate decided, for the reports. */
export interface GateReport {
  candidate: BatchRun;
  result: GateResult;
  regressions: readonly LinkedRegression[];
}
