import { setImmediate as turn } from 'node:timers/promises';
import { ServiceError } from '../../../contract/errors.ts';
import type { ScoreRecord } from '../../ingest/index.ts';
import { passedBy } from '../evaluator.ts';
import type { Evaluator } from '../evaluator.ts';
import type { EvaluationContext, RunScore } from '../evaluation-context.ts';
import { contentHash } from '../subjects/evaluated.ts';
import type { Evaluated } from '../subjects/evaluated.ts';
import { readSubjects } from '../subjects/read-subjects.ts';
import { EvaluationError } from '../types/evaluator-type.ts';
import type { Claimed, ProjectClaim } from './claim.ts';
import { lastEnds } from './last-ends.ts';
import type { LastEnd } from './last-ends.ts';
import { mostAttempts, retryAfter } from './retry.ts';
import { settle, textOf } from './settle.ts';
import type { Outcome, Settled } from './settle.ts';

/** When what the service itself could not do is tried again. */
const unavailableMs = 10_000;

/** For so long after it was asked for, an evaluation looks again shortly for what it waits for. */
const soonMs = 5_000;
const shortlyMs = 1_000;

const noLongerFits = 'it no longer fits the filter of the evaluator; the score that it had is withdrawn';

export interface RunOptions {
  /** Told of failures that are not the evaluator's own. */
  onError(error: unknown): void;
}

/**
 * Runs evaluations that were taken from the queue: reads what they look at, measures, and stores the scores the way ingestion stores any
 * score, before it says that they are done. Cut short at any point it can be run again: a score has the same id each time.
 */
export async function runClaim(
  context: EvaluationContext,
  { projectId, claimed }: ProjectClaim,
  options: RunOptions,
): Promise<void> {
  let settled: Settled[];
  try {
    settled = await outcomesOf(context, projectId, claimed, options);
    await storeScores(context, projectId, settled);
  } catch (error) {
    if (!isUnavailable(error)) options.onError(error);
    settled = claimed.map((one) => ({ claimed: one, outcome: again(one, error), contentHash: '' }));
  }
  await settle(context.db, settled, context.clock.now());
}

async function outcomesOf(
  context: EvaluationContext,
  projectId: string,
  claimed: readonly Claimed[],
  options: RunOptions,
): Promise<Settled[]> {
  const project = await context.evaluators.of(projectId);
  const byId = new Map(project?.evaluators.map((evaluator) => [evaluator.id, evaluator]));
  const wanted: Array<{ claimed: Claimed; evaluator: Evaluator }> = [];
  const settled: Settled[] = [];
  for (const one of claimed) {
    const evaluator = byId.get(one.evaluatorId);
    if (evaluator?.enabled) wanted.push({ claimed: one, evaluator });
    else settled.push({ claimed: one, outcome: { status: 'dropped' }, contentHash: '' });
  }
  if (!project || wanted.length === 0) return settled;
  const evaluated = await readSubjects(
    context,
    projectId,
    project,
    wanted.map((one) => one.claimed.target),
  );
  const before = await lastEnds(
    context.db,
    wanted.map((one) => one.claimed.scoreId),
  );
  for (const [place, { claimed: one, evaluator }] of wanted.entries()) {
    const what = evaluated[place];
    // Each may take some milliseconds: others have their turn in between.
    await turn();
    if (what) settled.push(await evaluate(context, { claimed: one, evaluator, what, before: before.get(one.scoreId) }, options));
  }
  return settled;
}

interface OneRun {
  claimed: Claimed;
  evaluator: Evaluator;
  what: Evaluated;
  /** How it last ended, if that is known. */
  before: LastEnd | undefined;
}

async function evaluate(context: EvaluationContext, run: OneRun, { onError }: RunOptions): Promise<Settled> {
  const { claimed, evaluator, what, before } = run;
  const withdraws = before?.scored ?? false;
  if (claimed.withdraws) {
    const outcome: Outcome = withdraws ? { status: 'skipped', reason: noLongerFits, withdraws } : { status: 'dropped' };
    return { claimed, outcome, contentHash: '' };
  }
  if ('nothing' in what) {
    return { claimed, outcome: { status: 'skipped', reason: what.nothing, withdraws }, contentHash: '' };
  }
  let hash = '';
  try {
    hash = contentHash(evaluator, what.subject, what.state);
    if (hash === before?.contentHash) return { claimed, outcome: { status: 'dropped' }, contentHash: hash };
    const verdict = await context.measures.measure(evaluator, what.subject);
    if (verdict.status === 'skipped') {
      const outcome: Outcome = awaited(claimed, what.awaits, context.clock.now()) ?? { ...verdict, withdraws };
      return { claimed, outcome, contentHash: hash };
    }
    const { score, passed, comment, usage = null } = verdict;
    if (!Number.isFinite(score))
      throw new EvaluationError('The evaluator gave no finite number as the score.', { retryable: false });
    // A threshold that somebody has set counts for more than the type's own.
    const decided = evaluator.passThreshold === null ? passed : passedBy(evaluator.passThreshold, score);
    return { claimed, outcome: { status: 'completed', score, passed: decided, comment, usage }, contentHash: hash };
  } catch (error) {
    if (!(error instanceof EvaluationError) && !isUnavailable(error)) onError(error);
    return { claimed, outcome: again(claimed, error), contentHash: hash };
  }
}

/** What becomes of a failed attempt. */
function again({ attempts }: Claimed, error: unknown): Outcome {
  if (isUnavailable(error)) return { status: 'again', error: null, afterMs: unavailableMs, counts: false, usage: null };
  const known = error instanceof EvaluationError ? error : null;
  const message = known?.message ?? 'The evaluation failed unexpectedly; look at the log of the service.';
  const usage = known?.usage ?? null;
  if (known?.retryable === false || attempts >= mostAttempts) return { status: 'failed', error: message, usage };
  return { status: 'again', error: message, afterMs: retryAfter(attempts, known?.retryAfterMs), counts: true, usage };
}

/** What becomes of an evaluation that lacks something which may still come; null when it has been waited for long enough. */
function awaited({ attempts, createdAtMs }: Claimed, awaits: string | undefined, nowMs: number): Outcome | null {
  if (awaits === undefined || attempts >= mostAttempts) return null;
  // What was acknowledged can be read within two seconds (contract section 3).
  if (nowMs - createdAtMs < soonMs) return { status: 'again', error: awaits, afterMs: shortlyMs, counts: false, usage: null };
  return { status: 'again', error: awaits, afterMs: retryAfter(attempts, undefined), counts: true, usage: null };
}

/** Whether a store of the service is away, which is no failure of the evaluation. */
function isUnavailable(error: unknown): boolean {
  return error instanceof ServiceError && error.code === 'unavailable';
}

/** Those evaluations that were not deleted meanwhile, with their trace or their evaluator. */
async function stillThere({ db }: EvaluationContext, ids: readonly string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('evaluations')
    .select('id')
    .where('id', 'in', [...ids])
    .execute();
  return new Set(rows.map(({ id }) => id));
}

async function storeScores(context: EvaluationContext, projectId: string, settled: readonly Settled[]): Promise<void> {
  const project = await context.evaluators.of(projectId);
  if (!project) return;
  const slugs = new Map(project.evaluators.map(({ id, slug }) => [id, slug]));
  const scores: ScoreRecord[] = [];
  const runScores: RunScore[] = [];
  const wanted = await stillThere(
    context,
    settled.map(({ claimed }) => claimed.id),
  );
  for (const { claimed, outcome } of settled) {
    const evaluator = slugs.get(claimed.evaluatorId);
    if (evaluator === undefined || !wanted.has(claimed.id)) continue;
    if (outcome.status === 'skipped') {
      if (outcome.withdraws && claimed.target.type !== 'run_item')
        scores.push({ ...scoreOf(claimed, evaluator), withdrawn: true });
      continue;
    }
    if (outcome.status !== 'completed') continue;
    const { score, passed } = outcome;
    const comment = outcome.comment === null ? null : textOf(outcome.comment);
    const { type, runItemId } = claimed.target;
    if (type === 'run_item') runScores.push({ runItemId, evaluator, score, passed, comment });
    else scores.push({ ...scoreOf(claimed, evaluator), score, passed, comment: comment ?? '' });
  }
  if (runScores.length > 0) await context.runItems.save(runScores);
  if (scores.length > 0)
    await context.pipeline.accept({ projectId, organizationId: project.organizationId }, { spans: [], scores }, 0);
}

function scoreOf({ scoreId, target, createdAtMs }: Claimed, evaluator: string): ScoreRecord {
  const { traceId, spanId, sessionId } = target;
  return {
    scoreId,
    traceId,
    spanId,
    sessionId,
    evaluator,
    score: 0,
    passed: null,
    label: '',
    comment: '',
    model: '',
    // Of its queueing: the same when this run is repeated.
    timestampMs: createdAtMs,
    source: 'evaluator',
    metadata: '',
  };
}
