import type { Acting } from '../../../contract/actor.ts';
import { ServiceError } from '../../../contract/errors.ts';
import type { GateBody, GateCheck, GatePending, GateVerdict } from '../../../contract/simulation-gate.ts';
import { recordAudit } from '../../audit/index.ts';
import { findBatchRun, recordOf } from '../batch-runs/batch-run-record.ts';
import type { SimulationsContext } from '../simulations-context.ts';
import type { BatchRunRow } from '../tables.ts';
import { readRun } from './read-run.ts';
import { regressionsOf } from './regressions.ts';
import { isWithinLimit } from './statistics.ts';
import type { Checked } from './statistics.ts';

/** What a gate decided. */
interface Decision {
  passed: boolean;
  verdict: GateVerdict;
  checks: GateCheck[];
  /** JSON texts. */
  regressions: string[];
  compared: number;
  onlyInOne: number;
}

/**
 * Compares a batch run with a baseline and decides whether it passes (docs/semantics.md, "The gate"). Recorded in the audit log once it has decided.
 *
 * @returns the answer of a candidate that has not ended, else the decision as JSON text
 *
 * Errors: `not_found`; `conflict` for runs that cannot be compared.
 */
export async function gateBatchRun(
  context: SimulationsContext,
  acting: Acting,
  candidateId: string,
  body: GateBody,
): Promise<GatePending | string> {
  const { db } = context;
  const candidate = await findBatchRun(db, acting.projectId, candidateId);
  const baseline = await findBatchRun(db, acting.projectId, body.baselineBatchRunId);
  if (baseline.id === candidate.id) throw conflict('The baseline is the candidate itself; name another run.');
  if (baseline.scenario_id !== candidate.scenario_id)
    throw conflict('The baseline is a run of another scenario; name one of the same scenario.');
  if (candidate.status === 'queued' || candidate.status === 'running')
    return { pending: true, batchRun: await recordOf(context, candidate) };
  const decision = candidate.status === 'completed' ? await decide(context, baseline, candidate, body) : notCompleted();
  await record(context, acting, { baseline, candidate }, decision);
  const { regressions, ...rest } = decision;
  return `${JSON.stringify({ pending: false, ...rest }).slice(0, -1)},"regressions":[${regressions.join(',')}]}`;
}

async function decide(
  { db, statistics }: SimulationsContext,
  baseline: BatchRunRow,
  candidate: BatchRunRow,
  { thresholds, confidence, onInconclusive }: GateBody,
): Promise<Decision> {
  if (baseline.status !== 'completed') throw conflict('The baseline has not completed; name a run that has.');
  const pages = { baseline: await readRun(db, baseline.id), candidate: await readRun(db, candidate.id) };
  const seed = `${baseline.id} ${candidate.id}`;
  const { compared, onlyInOne, regressed, ...found } = await statistics.compare(pages, { thresholds, confidence, seed });
  if (compared === 0) throw conflict('The two runs have no item in common; name a baseline of the same dataset.');
  const checks = found.checks.map((check) => withPassed(check, onInconclusive));
  const verdict = verdictOf(checks);
  const regressions = await regressionsOf(db, { baselineId: baseline.id, candidateId: candidate.id }, regressed);
  const passed = checks.every((check) => check.passed);
  return { passed, verdict, checks, regressions, compared, onlyInOne };
}

function withPassed(check: Checked, onInconclusive: GateBody['onInconclusive']): GateCheck {
  const { verdict } = check;
  if (verdict !== 'inconclusive') return { ...check, passed: verdict === 'pass' };
  return { ...check, passed: onInconclusive === 'pass' || (onInconclusive === 'point' && isWithinLimit(check)) };
}

function verdictOf(checks: readonly GateCheck[]): GateVerdict {
  const verdicts = new Set(checks.map(({ verdict }) => verdict));
  return verdicts.has('fail') ? 'fail' : verdicts.has('inconclusive') ? 'inconclusive' : 'pass';
}

/** A candidate that failed or was cancelled passes no gate. */
function notCompleted(): Decision {
  const figures = { baseline: null, candidate: null, delta: null, limit: null, ciLow: null, ciHigh: null };
  const check: GateCheck = { name: 'completed', ...figures, passed: false, verdict: 'fail' };
  return { passed: false, verdict: 'fail', checks: [check], regressions: [], compared: 0, onlyInOne: 0 };
}

async function record(
  { db, clock }: SimulationsContext,
  { organizationId, projectId, actor }: Acting,
  { baseline, candidate }: { baseline: BatchRunRow; candidate: BatchRunRow },
  { passed, verdict, checks }: Decision,
): Promise<void> {
  const failed = checks.filter((check) => !check.passed).map(({ name }) => name);
  await db.transaction().execute((transaction) =>
    recordAudit(transaction, clock, {
      organizationId,
      projectId,
      kind: 'simulation.gate',
      actor,
      subject: candidate.id,
      detail: { name: candidate.scenario_name, baselineBatchRunId: baseline.id, passed, verdict, failed },
    }),
  );
}

function conflict(message: string): ServiceError {
  return new ServiceError('conflict', message);
}
