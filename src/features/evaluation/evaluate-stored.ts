import { setImmediate as nextTurn } from 'node:timers/promises';
import { ServiceError } from '../../contract/errors.ts';
import type { Plan } from '../../contract/plans.ts';
import { scaleFields, countsAsItIs } from '../records/index.ts';
import type { ScoreRecord } from '../records/index.ts';
import type { IngestPipeline } from '../trace-store/index.ts';
import type { EvaluationContext } from './evaluation-context.ts';
import { EvaluationError } from './evaluation-error.ts';
import { decidedBy, needsExpectedOutput, readsPayloads, scaleOf } from './evaluator.ts';
import type { Evaluator } from './evaluator.ts';
import { scoreIdOf, spanTarget, traceTarget } from './score-id.ts';
import type { Target } from './score-id.ts';
import { readSubjects } from './subjects/read-subjects.ts';
import { storableComment } from './types/evaluator-type.ts';

/** A stored span, or with `spanId` `''` a trace, and the key by which the caller knows it. */
export interface StoredRecord {
  key: string;
  traceId: string;
  spanId: string;
}

export interface StoredEvaluation {
  tenant: { organizationId: string; projectId: string; plan: Plan };
  evaluatorIds: readonly string[];
  records: readonly StoredRecord[];
  /** Records that an evaluator has scored are left as they are. */
  onlyUnscored: boolean;
  /** Whether another measurement may be paid for. */
  mayPay(): boolean;
  /** US dollars that measuring one cost, also a failed one. */
  onPaid(costUsd: number): void;
  signal: AbortSignal;
}

/** Stops the evaluation: its costs have reached what may be paid. */
const paidUp = 'Not evaluated: the costs have reached the limit of the job.';
const deleted = 'An evaluator was deleted.';

type Context = Pick<EvaluationContext, 'clickhouse' | 'clock' | 'evaluators' | 'measures' | 'runItems'> & {
  pipeline: Pick<IngestPipeline, 'accept' | 'drain'>;
};

/**
 * The enabled evaluators that a request names by their slugs.
 *
 * Errors: `not_found`; `invalid_request` for one that is off, or that needs an expected output or a session.
 */
export async function evaluatorsToRun(
  context: Pick<Context, 'evaluators'>,
  projectId: string,
  slugs: readonly string[],
): Promise<string[]> {
  const project = await context.evaluators.of(projectId);
  return slugs.map((slug, index) => {
    const evaluator = project?.evaluators.find((one) => one.slug === slug);
    if (!evaluator)
      throw new ServiceError(
        'not_found',
        `There is no evaluator ${slug} in this project; list the evaluators to see which there are.`,
      );
    const problem = problemOf(evaluator);
    if (problem === null) return evaluator.id;
    throw new ServiceError('invalid_request', `The evaluator ${slug} ${problem}.`, {
      details: [{ path: `/action/evaluators/${index}`, message: problem }],
    });
  });
}

function problemOf({ enabled, target, type }: Evaluator): string | null {
  if (!enabled) return 'is off; enable it first';
  if (target === 'session') return 'evaluates sessions, which cannot be selected';
  return needsExpectedOutput(type) ? 'compares with an expected output, which stored records do not have' : null;
}

/**
 * Runs evaluators over stored records, one after the other. A score is durable before the next record is measured and has the same id each time; it carries the
 * record's time. What is repeated after a crash finds the scores that were stored.
 *
 * @returns the records of which some evaluator gave no score, with the reason
 * Errors: of the stores.
 */
export async function evaluateStored(context: Context, evaluation: StoredEvaluation): Promise<Map<string, string>> {
  const { tenant, evaluatorIds, records, signal } = evaluation;
  const failed = new Map<string, string>();
  const project = await context.evaluators.of(tenant.projectId);
  const targets = new Map(records.map((record) => [record.key, targetOf(record)]));
  // Scores of an interrupted attempt may be in the log alone.
  await context.pipeline.drain();
  const times = await timesOf(context, tenant.projectId, records);
  for (const { key } of records) if (!times.has(key)) failed.set(key, 'There is no such record.');
  for (const id of evaluatorIds) {
    const evaluator = project?.evaluators.find((one) => one.id === id);
    const scored = evaluator && evaluation.onlyUnscored ? await scoredBy(context, evaluator, records) : new Set<string>();
    for (const record of records) {
      const startMs = times.get(record.key);
      const target = targets.get(record.key);
      if (signal.aborted)
        throw new ServiceError('unavailable', 'The evaluation was stopped; it goes on later.', { retryAfterSeconds: 1 });
      if (startMs === undefined || target === undefined || scored.has(record.key)) continue;
      await nextTurn();
      const reason = evaluator ? await evaluateOne(context, evaluation, { evaluator, target, startMs }) : deleted;
      if (reason !== null && !failed.has(record.key)) failed.set(record.key, reason);
    }
  }
  return failed;
}

/** @returns why there is no score; null when it is stored */
async function evaluateOne(
  context: Context,
  { tenant, mayPay, onPaid, signal }: StoredEvaluation,
  { evaluator, target, startMs }: { evaluator: Evaluator; target: Target; startMs: number },
): Promise<string | null> {
  if (!mayPay()) return paidUp;
  const [found] = await readSubjects(context, tenant.projectId, tenant, [{ target, payloads: readsPayloads(evaluator.type) }]);
  if (!found || 'nothing' in found) return `${evaluator.slug}: ${found?.nothing ?? 'there is nothing to evaluate'}.`;
  try {
    const verdict = await context.measures.measure(evaluator, found.subject, signal);
    if (verdict.status === 'skipped') return `${evaluator.slug}: ${verdict.reason}`;
    onPaid(verdict.usage?.costUsd ?? 0);
    const score: ScoreRecord = {
      ...countsAsItIs,
      ...scaleFields(scaleOf(evaluator)),
      scoreId: scoreIdOf(evaluator, target),
      traceId: target.traceId,
      spanId: target.spanId,
      sessionId: '',
      evaluator: evaluator.slug,
      score: verdict.score,
      passed: decidedBy(evaluator, verdict),
      label: '',
      comment: verdict.comment === null ? '' : (storableComment(verdict.comment) ?? ''),
      model: '',
      timestampMs: startMs,
      source: 'evaluator',
      metadata: '',
    };
    await context.pipeline.accept(tenant, { spans: [], scores: [score] }, 0);
    return null;
  } catch (error) {
    if (!(error instanceof EvaluationError)) throw error;
    onPaid(error.usage?.costUsd ?? 0);
    return `${evaluator.slug}: ${error.message}`;
  }
}

function targetOf({ traceId, spanId }: StoredRecord): Target {
  return spanId === '' ? traceTarget(traceId) : spanTarget(traceId, spanId);
}

/** The starts of records, epoch milliseconds, by key; none for one that is not stored. */
async function timesOf(
  { clickhouse }: Context,
  projectId: string,
  records: readonly StoredRecord[],
): Promise<Map<string, number>> {
  const reader = clickhouse.forTenant({ projectId, oldestMs: null });
  const rows = await reader.query<{ t: string; s: string; ms: number }>(
    `SELECT trace_id AS t, span_id AS s, toFloat64(toUnixTimestamp64Milli(start_time)) AS ms FROM spans FINAL
     WHERE project_id = {project:UUID} AND trace_id IN {traces:Array(String)}`,
    { project: projectId, traces: [...new Set(records.map(({ traceId }) => traceId))] },
  );
  const bySpan = new Map<string, number>();
  const byTrace = new Map<string, number>();
  for (const { t, s, ms } of rows) {
    bySpan.set(`${t}/${s}`, ms);
    // The trace's own record begins it where there is no span.
    if (s !== '' || !byTrace.has(t)) byTrace.set(t, Math.min(byTrace.get(t) ?? Infinity, ms));
  }
  const times = new Map<string, number>();
  for (const { key, traceId, spanId } of records) {
    const ms = spanId === '' ? byTrace.get(traceId) : bySpan.get(`${traceId}/${spanId}`);
    if (ms !== undefined) times.set(key, ms);
  }
  return times;
}

/** The keys of the records that an evaluator has scored. */
async function scoredBy(
  { clickhouse }: Context,
  { projectId, slug }: Evaluator,
  records: readonly StoredRecord[],
): Promise<Set<string>> {
  const reader = clickhouse.forTenant({ projectId, oldestMs: null });
  const rows = await reader.query<{ t: string; s: string }>(
    `SELECT DISTINCT trace_id AS t, span_id AS s FROM scores FINAL
     WHERE project_id = {project:UUID} AND trace_id IN {traces:Array(String)} AND evaluator = {evaluator:String}`,
    { project: projectId, traces: [...new Set(records.map(({ traceId }) => traceId))], evaluator: slug },
  );
  const found = new Set(rows.map(({ t, s }) => `${t}/${s}`));
  return new Set(records.filter(({ traceId, spanId }) => found.has(`${traceId}/${spanId}`)).map(({ key }) => key));
}
