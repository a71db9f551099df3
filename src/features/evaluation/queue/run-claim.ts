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
import { lastHashes } from './last-hashes.ts';
import { mostAttempts, retryAfter } from './retry.ts';
import { settle, textOf } from './settle.ts';
import type { Outcome, Settled } from './settle.ts';

/** When what the service itself could not do is tried again. */
const unavailableMs = 10_000;

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
  const before = await lastHashes(
    context.db,
    wanted.map((one) => one.claimed.scoreId),
  );
  for (const [place, { claimed: one, evaluator }] of wanted.entries()) {
    const what = evaluated[place];
    if (what) settled.push(await evaluate(context, { claimed: one, evaluator, what, before: before.get(one.scoreId) }, options));
  }
  return settled;
}

interface OneRun {
  claimed: Claimed;
  evaluator: Evaluator;
  what: Evaluated;
  /** Hash of what was evaluated last, if that is known. */
  before: string | undefined;
}

async function evaluate(context: EvaluationContext, run: OneRun, { onError }: RunOptions): Promise<Settled> {
  const { claimed, evaluator, what, before } = run;
  if ('nothing' in what) return { claimed, outcome: { status: 'skipped', reason: what.nothing }, contentHash: '' };
  const hash = contentHash(evaluator, what.subject, what.state);
  if (hash === before) return { claimed, outcome: { status: 'dropped' }, contentHash: hash };
  try {
    const verdict = await context.measures.measure(evaluator, what.subject);
    if (verdict.status === 'skipped') return { claimed, outcome: verdict, contentHash: hash };
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
    if (outcome.status !== 'completed' || evaluator === undefined || !wanted.has(claimed.id)) continue;
    const { score, passed } = outcome;
    const comment = outcome.comment === null ? null : textOf(outcome.comment);
    const { type, traceId, spanId, sessionId, runItemId } = claimed.target;
    if (type === 'run_item') runScores.push({ runItemId, evaluator, score, passed, comment });
    else
      scores.push({
        scoreId: claimed.scoreId,
        traceId,
        spanId,
        sessionId,
        evaluator,
        score,
        passed,
        label: '',
        comment: comment ?? '',
        model: '',
        // Of its queueing: the same when this run is repeated.
        timestampMs: claimed.createdAtMs,
        source: 'evaluator',
        metadata: '',
      });
  }
  if (runScores.length > 0) await context.runItems.save(runScores);
  if (scores.length > 0)
    await context.pipeline.accept({ projectId, organizationId: project.organizationId }, { spans: [], scores }, 0);
}
