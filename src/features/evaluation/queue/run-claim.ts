import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { isUnavailable } from '../../../contract/errors.ts';
import type { ProjectClaim } from '../../../platform/jobs/leased-queue/index.ts';
import type { EvaluationContext } from '../evaluation-context.ts';
import { EvaluationError } from '../evaluation-error.ts';
import { decidedBy, readsPayloads, scaleOf } from '../evaluator.ts';
import type { Evaluator } from '../evaluator.ts';
import { contentHash } from '../subjects/evaluated.ts';
import type { Evaluated } from '../subjects/evaluated.ts';
import { readSubjects } from '../subjects/read-subjects.ts';
import { targetOf } from './evaluation-jobs.ts';
import type { EvaluationJob, EvaluationRun } from './evaluation-jobs.ts';
import { lastEnds } from './last-ends.ts';
import type { LastEnd } from './last-ends.ts';
import { recordedRun } from './outcome.ts';
import type { EvaluatedJob, Outcome } from './outcome.ts';
import { storeScores } from './store-scores.ts';

/** The wait while a store of the service does not answer, in milliseconds. */
const unavailableMs = 10_000;

/** For this long after it was queued, an evaluation waits only shortly for missing data. */
const soonMs = 5_000;
const shortlyMs = 1_000;

const noLongerMatches = 'it no longer fits the filter of the evaluator; the score that it had is withdrawn';

export interface RunOptions {
  /** Called with errors other than failed evaluations. */
  onError(error: unknown): void;
  /** Aborts when this process no longer holds the jobs. */
  signal: AbortSignal;
}

/**
 * Runs evaluations of one project: reads their subjects, measures, and stores the scores. The scores are durable before the outcomes are
 * returned. May be interrupted at any point and repeated: a score has the same id each time.
 */
export async function runClaim(
  context: EvaluationContext,
  { projectId, jobs }: ProjectClaim<EvaluationJob['payload']>,
  options: RunOptions,
): Promise<EvaluationRun[]> {
  let evaluated: EvaluatedJob[];
  try {
    evaluated = await evaluateAll(context, projectId, jobs, options);
    if (options.signal.aborted) return [];
    await storeScores(context, projectId, evaluated);
  } catch (error) {
    if (!isUnavailable(error)) options.onError(error);
    evaluated = jobs.map((job) => ({ job, outcome: failureOf(context, job, error), contentHash: '' }));
  }
  return evaluated.map(recordedRun);
}

async function evaluateAll(
  context: EvaluationContext,
  projectId: string,
  jobs: readonly EvaluationJob[],
  options: RunOptions,
): Promise<EvaluatedJob[]> {
  const project = await context.evaluators.of(projectId);
  const byId = new Map(project?.evaluators.map((evaluator) => [evaluator.id, evaluator]));
  const enabled: Array<{ job: EvaluationJob; evaluator: Evaluator }> = [];
  const evaluated: EvaluatedJob[] = [];
  for (const job of jobs) {
    const evaluator = byId.get(job.payload.evaluator_id ?? '');
    if (evaluator?.enabled) enabled.push({ job, evaluator });
    else evaluated.push({ job, outcome: { status: 'dropped' }, contentHash: '' });
  }
  if (!project || enabled.length === 0) return evaluated;
  const subjects = await readSubjects(
    context,
    projectId,
    project,
    enabled.map(({ job, evaluator }) => ({ target: targetOf(job), payloads: readsPayloads(evaluator.type) })),
  );
  const before = await lastEnds(
    context.db,
    enabled.map(({ job }) => job.payload.score_id ?? ''),
  );
  for (const [place, { job, evaluator }] of enabled.entries()) {
    const subject = subjects[place];
    // An evaluation may take some milliseconds.
    await yieldToEventLoop();
    const lastEnd = before.get(job.payload.score_id ?? '');
    if (subject) evaluated.push(await evaluate(context, { job, evaluator, subject, lastEnd }, options));
  }
  return evaluated;
}

interface OneRun {
  job: EvaluationJob;
  evaluator: Evaluator;
  subject: Evaluated;
  /** The last evaluation of the target, if known. */
  lastEnd: LastEnd | undefined;
}

async function evaluate(context: EvaluationContext, run: OneRun, { onError, signal }: RunOptions): Promise<EvaluatedJob> {
  const { job, evaluator, subject: found, lastEnd } = run;
  const withdraws = lastEnd?.scored ?? false;
  if (job.payload.withdraws) {
    const outcome: Outcome = withdraws ? { status: 'skipped', reason: noLongerMatches, withdraws } : { status: 'dropped' };
    return { job, outcome, contentHash: '' };
  }
  if ('nothing' in found) return { job, outcome: { status: 'skipped', reason: found.nothing, withdraws }, contentHash: '' };
  let hash = '';
  try {
    hash = contentHash(evaluator, found.subject, found.state);
    if (hash === lastEnd?.contentHash) return { job, outcome: { status: 'dropped' }, contentHash: hash };
    const verdict = await context.measures.measure(evaluator, found.subject, signal);
    if (verdict.status === 'skipped') {
      const outcome: Outcome = awaited(context, job, found.awaits) ?? { ...verdict, withdraws };
      return { job, outcome, contentHash: hash };
    }
    const { score, comment, usage = null } = verdict;
    const passed = decidedBy(evaluator, verdict);
    return {
      job,
      outcome: { status: 'completed', score, scale: scaleOf(evaluator), passed, comment, usage },
      contentHash: hash,
    };
  } catch (error) {
    if (!(error instanceof EvaluationError) && !isUnavailable(error)) onError(error);
    return { job, outcome: failureOf(context, job, error), contentHash: hash };
  }
}

/** The outcome of a failed attempt. */
function failureOf({ jobs }: EvaluationContext, { attempts }: EvaluationJob, error: unknown): Outcome {
  if (isUnavailable(error)) return { status: 'retry', error: null, afterMs: unavailableMs, counts: false, usage: null };
  const known = error instanceof EvaluationError ? error : null;
  const message = known?.message ?? 'The evaluation failed unexpectedly; look at the log of the service.';
  const usage = known?.usage ?? null;
  if (known?.retryable === false || attempts >= jobs.maxAttempts) return { status: 'failed', error: message, usage };
  return { status: 'retry', error: message, afterMs: jobs.retryAfter(attempts, known?.retryAfterMs), counts: true, usage };
}

/** The outcome of a run whose subject lacks data that may still arrive; null after the maximum wait. */
function awaited(
  { jobs, clock }: EvaluationContext,
  { attempts, createdAtMs }: EvaluationJob,
  awaits: string | undefined,
): Outcome | null {
  if (awaits === undefined || attempts >= jobs.maxAttempts) return null;
  // Acknowledged data becomes readable within two seconds (docs/semantics.md, "Acknowledgement").
  if (clock.now() - createdAtMs < soonMs)
    return { status: 'retry', error: awaits, afterMs: shortlyMs, counts: false, usage: null };
  return { status: 'retry', error: awaits, afterMs: jobs.retryAfter(attempts), counts: true, usage: null };
}
