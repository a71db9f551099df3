import { comparedRuns } from './paired-runs.ts';
import type { ComparedRuns } from './paired-runs.ts';
import { maxRegressions } from './regressions.ts';
import { checksOf } from './statistics.ts';
import type { Checked, CheckOptions } from './statistics.ts';

/** Two runs as {@link readRun} reads them. */
export interface RunPages {
  baseline: readonly string[];
  candidate: readonly string[];
}

/** What a gate needs of two runs. */
export interface Comparison extends Pick<ComparedRuns, 'compared' | 'onlyInOne' | 'regressed'> {
  /** Empty without an item in both. */
  checks: Checked[];
}

/** Pairs two runs and computes the checks. Pure. */
export function comparePages({ baseline, candidate }: RunPages, options: CheckOptions): Comparison {
  const { runs, compared, onlyInOne, regressed } = comparedRuns(baseline, candidate);
  return {
    checks: compared === 0 ? [] : checksOf(runs, options),
    compared,
    onlyInOne,
    regressed: regressed.slice(0, maxRegressions),
  };
}
