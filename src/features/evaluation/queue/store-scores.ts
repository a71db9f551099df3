import { countsAsItIs, scaleFields } from '../../records/index.ts';
import type { ScoreRecord } from '../../records/index.ts';
import type { EvaluationContext, RunScore } from '../evaluation-context.ts';
import { storableComment } from '../types/evaluator-type.ts';
import { targetOf } from './evaluation-jobs.ts';
import type { EvaluationJob } from './evaluation-jobs.ts';
import type { EvaluatedJob } from './outcome.ts';

/**
 * Stores the scores of completed runs through ingestion, and withdraws outdated ones; scores of run items are stored by the datasets feature. A score
 * has the same id each time, so repeating it changes nothing.
 */
export async function storeScores(
  context: EvaluationContext,
  projectId: string,
  evaluated: readonly EvaluatedJob[],
): Promise<void> {
  const project = await context.evaluators.of(projectId);
  if (!project) return;
  const slugs = new Map(project.evaluators.map(({ id, slug }) => [id, slug]));
  const scores: ScoreRecord[] = [];
  const runScores: RunScore[] = [];
  const existing = await notDeleted(
    context,
    evaluated.map(({ job }) => job.id),
  );
  for (const { job, outcome } of evaluated) {
    const evaluator = slugs.get(job.payload.evaluator_id ?? '');
    if (evaluator === undefined || !existing.has(job.id)) continue;
    const target = targetOf(job);
    if (outcome.status === 'skipped') {
      if (outcome.withdraws && target.type !== 'run_item') scores.push({ ...scoreOf(job, evaluator), withdrawn: true });
      continue;
    }
    if (outcome.status !== 'completed') continue;
    const { score, scale, passed } = outcome;
    const comment = outcome.comment === null ? null : storableComment(outcome.comment);
    if (target.type === 'run_item') runScores.push({ runItemId: target.runItemId, evaluator, score, passed, comment });
    else scores.push({ ...scoreOf(job, evaluator), ...scaleFields(scale), score, passed, comment: comment ?? '' });
  }
  if (runScores.length > 0) await context.runItems.save(runScores);
  if (scores.length > 0)
    await context.pipeline.accept({ projectId, organizationId: project.organizationId }, { spans: [], scores }, 0);
}

/** The evaluations whose trace and evaluator were not deleted meanwhile. */
async function notDeleted({ db }: EvaluationContext, ids: readonly string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('evaluations')
    .select('id')
    .where('id', 'in', [...ids])
    .execute();
  return new Set(rows.map(({ id }) => id));
}

function scoreOf(job: EvaluationJob, evaluator: string): ScoreRecord {
  const { traceId, spanId, sessionId } = targetOf(job);
  return {
    scoreId: job.payload.score_id ?? '',
    traceId,
    spanId,
    sessionId,
    evaluator,
    score: 0,
    passed: null,
    label: '',
    comment: '',
    model: '',
    // The time of queueing: the same when the run is repeated.
    timestampMs: job.createdAtMs,
    source: 'evaluator',
    metadata: '',
    ...countsAsItIs,
  };
}
