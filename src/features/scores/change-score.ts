import type { RequestActor } from '../../contract/actor.ts';
import { ServiceError } from '../../contract/errors.ts';
import type { ListedScore, ScoreChange } from '../../contract/scores.ts';
import type { Tenant } from '../../platform/http/index.ts';
import { recordAudit } from '../audit/index.ts';
import { applyPassThresholds, noScore } from '../records/index.ts';
import type { ScoreRecord } from '../records/index.ts';
import { readerFor } from './scores-context.ts';
import type { ScoresContext } from './scores-context.ts';
import { listedScore, recordedBy, scoreColumns } from './stored-score.ts';
import type { ScoreRow } from './stored-score.ts';

/** Who acts on a score. */
export interface ScoreActor {
  tenant: Tenant;
  actor: RequestActor;
  /** Whether they are an owner or admin. */
  administers: boolean;
}

interface StoredScore extends ScoreRow {
  scale_min: number;
  scale_max: number;
  is_quality: number;
}

/**
 * Changes a score, which keeps its id, target and time, and records it in the audit log (docs/semantics.md, "Scores of a project").
 *
 * Errors: `not_found`; `forbidden` for another person's annotation; `invalid_request` when neither a number nor a label would be left.
 */
export async function changeScore(
  context: ScoresContext,
  by: ScoreActor,
  scoreId: string,
  change: ScoreChange,
): Promise<ListedScore> {
  const before = await findScore(context, by, scoreId);
  const given = <T>(value: T | null | undefined, kept: T, none: T): T => (value === undefined ? kept : (value ?? none));
  const record: ScoreRecord = {
    ...before,
    score: change.score === undefined ? before.score : change.score === null ? noScore : Number(change.score),
    label: given(change.label, before.label, ''),
    comment: given(change.comment, before.comment, ''),
    passed: change.passed === undefined ? (change.score === undefined ? before.passed : null) : change.passed,
  };
  if (Number.isNaN(record.score) && record.label === '')
    throw new ServiceError('invalid_request', 'Give the score a number or a label; one of them must be left.', {
      details: [{ path: '/score', message: 'must be a number unless there is a label' }],
    });
  if (record.passed === null && change.passed === undefined)
    applyPassThresholds([record], await context.pipeline.passThresholds(by.tenant.projectId));
  const fields = ['score', 'passed', 'label', 'comment'] as const;
  const changed = fields.filter((field) => !Object.is(record[field], before[field]));
  if (changed.length > 0) await store(context, by, record, { kind: 'score.changed', changed });
  return listedScore(rowOf(record));
}

/** Deletes a score, and records it in the audit log. Errors: `not_found`; `forbidden` for another person's annotation. */
export async function deleteScore(context: ScoresContext, by: ScoreActor, scoreId: string): Promise<void> {
  const record = await findScore(context, by, scoreId);
  await store(context, by, { ...record, withdrawn: true }, { kind: 'score.deleted' });
}

/**
 * Stores a person's score in place of the one that has its id, as a change of it.
 *
 * @returns false where the project has no such score; nothing is stored then
 *
 * Errors: `forbidden` for another person's annotation.
 */
export async function replaceScore(context: ScoresContext, by: ScoreActor, record: ScoreRecord): Promise<boolean> {
  const row = await readScore(context, by.tenant, record.scoreId);
  if (!row) return false;
  const before = changeable(row, by);
  const changed: string[] = replaced.filter(([, field]) => !Object.is(record[field], before[field])).map(([name]) => name);
  if (recordedBy(row)?.id !== by.actor.id) changed.push('author');
  if (changed.length > 0) await store(context, by, record, { kind: 'score.changed', changed });
  return true;
}

/** What another score of the same id may change: names as lists have them, and fields of records. */
const replaced = [
  ['traceId', 'traceId'],
  ['spanId', 'spanId'],
  ['sessionId', 'sessionId'],
  ['evaluator', 'evaluator'],
  ['score', 'score'],
  ['passed', 'passed'],
  ['label', 'label'],
  ['comment', 'comment'],
  ['model', 'model'],
  ['timestamp', 'timestampMs'],
] as const satisfies ReadonlyArray<readonly [string, keyof ScoreRecord]>;

/** Errors: `not_found` where the project has no such score. */
export async function requireScore(context: ScoresContext, tenant: Tenant, scoreId: string): Promise<void> {
  await findRow(context, tenant, scoreId);
}

async function findRow(context: ScoresContext, tenant: Tenant, scoreId: string): Promise<StoredScore> {
  const row = await readScore(context, tenant, scoreId);
  if (row) return row;
  throw new ServiceError('not_found', 'There is no such score in this project; list the scores to see which there are.');
}

async function findScore(context: ScoresContext, by: ScoreActor, scoreId: string): Promise<ScoreRecord> {
  return changeable(await findRow(context, by.tenant, scoreId), by);
}

/** The record of a stored score. Errors: `forbidden` for another person's annotation. */
function changeable(row: StoredScore, { actor, administers }: ScoreActor): ScoreRecord {
  if (row.source === 'annotation' && !administers && recordedBy(row)?.id !== actor.id)
    throw new ServiceError('forbidden', 'Ask its author or an admin; an annotation is changed by them alone.');
  return {
    scoreId: row.score_id,
    traceId: row.trace_id,
    spanId: row.span_id,
    sessionId: row.session_id,
    evaluator: row.evaluator,
    score: row.score ?? noScore,
    passed: row.passed === null ? null : row.passed === 1,
    label: row.label,
    comment: row.comment,
    model: row.model,
    timestampMs: row.ms,
    // The table holds what records have.
    source: row.source as ScoreRecord['source'],
    metadata: row.metadata,
    scaleMin: row.scale_min,
    scaleMax: row.scale_max,
    isQuality: row.is_quality === 1,
  };
}

async function readScore(context: ScoresContext, { projectId, plan }: Tenant, scoreId: string): Promise<StoredScore | undefined> {
  // A score, its last change or its deletion may be on its way.
  if (context.pipeline.pendingEvents(projectId) > 0) await context.pipeline.drain();
  const [row] = await readerFor(context, { projectId, plan }).query<StoredScore>(
    `SELECT ${scoreColumns}, scale_min, scale_max, is_quality FROM scores FINAL
WHERE score_id = {score:String} ORDER BY start_time DESC LIMIT 1`,
    { score: scoreId },
  );
  return row;
}

/** Accepts the score and records the act, both or neither. */
async function store(
  { db, clock, pipeline }: ScoresContext,
  { tenant: { organizationId, projectId }, actor }: ScoreActor,
  record: ScoreRecord,
  act: { kind: 'score.changed'; changed: string[] } | { kind: 'score.deleted' },
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const common = { organizationId, projectId, actor, subject: record.scoreId };
    const detail = {
      evaluator: record.evaluator,
      traceId: record.traceId || null,
      sessionId: record.sessionId || null,
      source: record.source,
    };
    if (act.kind === 'score.changed')
      await recordAudit(transaction, clock, { ...common, kind: act.kind, detail: { ...detail, changed: act.changed } });
    else await recordAudit(transaction, clock, { ...common, kind: act.kind, detail });
    await pipeline.accept({ projectId, organizationId }, { spans: [], scores: [record] }, 0);
  });
}

function rowOf(record: ScoreRecord): ScoreRow {
  return {
    score_id: record.scoreId,
    trace_id: record.traceId,
    span_id: record.spanId,
    session_id: record.sessionId,
    evaluator: record.evaluator,
    score: Number.isNaN(record.score) ? null : record.score,
    passed: record.passed === null ? null : Number(record.passed),
    label: record.label,
    comment: record.comment,
    model: record.model,
    ms: record.timestampMs,
    source: record.source,
    metadata: record.metadata,
  };
}
