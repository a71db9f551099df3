import { connect } from './connection.ts';
import type { ConnectionOptions } from './connection.ts';
import type { GateResult } from './gate-result.ts';
import { gateTable } from './gate-table.ts';

/** Limits of the gate. Shares are 0..1; increases are relative, 0.1 for 10 %. */
export interface GateThresholds {
  /** Baseline minus candidate. Default: 0. */
  maxPassRateDrop?: number | undefined;
  minPassRate?: number | undefined;
  maxErrorRate?: number | undefined;
  maxP95LatencyIncrease?: number | undefined;
  /** Of the mean cost of an item. */
  maxCostIncrease?: number | undefined;
}

export interface GateOptions extends ConnectionOptions {
  /** Id of the batch run that is judged. */
  candidate: string;
  /** Id of the batch run that it is compared with. */
  baseline: string;
  thresholds?: GateThresholds | undefined;
  /** Of the intervals, 0.8 to 0.99. Default: 0.95. Null compares the figures themselves, which refuses an unchanged candidate about two times in five. */
  confidence?: number | null | undefined;
  /** What an inconclusive check counts as. Default: `pass`. */
  onInconclusive?: 'pass' | 'fail' | undefined;
  /** Default: the project of the API key. */
  projectId?: string | undefined;
  /** Milliseconds between questions while the candidate is running. Default: 2,000. */
  pollMs?: number | undefined;
  /** Milliseconds after which waiting for the candidate is given up. Default: 1,800,000, half an hour. */
  waitMs?: number | undefined;
}

/** The gate refused the candidate. The message has a table of the checks. */
export class GateFailed extends Error {
  readonly result: GateResult;

  constructor(result: GateResult) {
    super(`The gate refused the batch run.\n\n${gateTable(result)}`);
    this.name = 'GateFailed';
    this.result = result;
  }
}

/**
 * Compares two batch runs of a scenario, and waits for the candidate to end. Give the test a time limit that is longer than its run.
 *
 * Errors: {@link GateFailed} when the candidate is refused; an error in the words of the service for runs that cannot be compared.
 */
export async function gate(options: GateOptions): Promise<GateResult> {
  const { candidate, baseline, thresholds, confidence = 0.95, onInconclusive, pollMs = 2_000, waitMs = 1_800_000 } = options;
  const connection = connect(options);
  const { clock } = connection.service;
  const projectId = options.projectId ?? (await connection.projectId());
  const of = encodeURIComponent;
  const path = `/v1/projects/${of(projectId)}/simulations/batch-runs/${of(candidate)}/gate`;
  const asked = { baselineBatchRunId: baseline, thresholds, onInconclusive, ...(confidence === null ? {} : { confidence }) };
  const endMs = clock.now() + waitMs;
  for (;;) {
    const { body } = await connection.send<GateResult | { pending: true }>('POST', path, asked);
    if (!body.pending) {
      if (!body.passed) throw new GateFailed(body);
      return body;
    }
    if (clock.now() + pollMs > endMs) throw new Error(`The batch run ${candidate} did not end within ${waitMs} ms.`);
    // A timer that keeps the process alive.
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}
