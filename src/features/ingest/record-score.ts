import { v7 as uuidv7 } from 'uuid';
import { ServiceError } from '../../contract/errors.ts';
import type { ScoreBody } from '../../contract/ingest.ts';
import { retentionCutoff } from '../../contract/plans.ts';
import type { Score } from '../../contract/traces.ts';
import { applyPassThresholds } from '../records/index.ts';
import type { ScoreRecord } from '../records/index.ts';
import type { ScoreActor } from '../scores/index.ts';
import type { IngestContext } from './ingest-context.ts';
import { LineRefusal, scoreRecord } from './native/to-record.ts';
import type { ToRecordOptions } from './native/to-record.ts';

/**
 * Records one score the way a native score event is; resolves once it is on disk. A score of the same id on the same trace or session is
 * replaced, so a retry with an id is harmless. Where a person replaces one, the rules of a change hold.
 *
 * @returns the score as traces show it
 *
 * Errors: `invalid_request` for a target or a time that cannot be used, `forbidden` for another person's annotation, `unavailable` when the log is full.
 */
export async function recordScore(
  { clock, pipeline, replaceScore }: Pick<IngestContext, 'clock' | 'pipeline' | 'replaceScore'>,
  by: ScoreActor,
  body: ScoreBody,
): Promise<Score> {
  const { tenant, actor } = by;
  const { projectId, organizationId, plan } = tenant;
  const nowMs = clock.now();
  const scoreId = () => uuidv7({ msecs: nowMs });
  const read = readScore(body, { nowMs, oldestMs: retentionCutoff(plan, nowMs), scoreId });
  const recordedBy = { type: actor.type, id: actor.id, name: actor.name };
  const source = actor.type === 'user' ? 'annotation' : 'api';
  const record: ScoreRecord = { ...read, source, metadata: JSON.stringify({ recordedBy }) };
  if (record.passed === null) applyPassThresholds([record], await pipeline.passThresholds(projectId));
  const isReplaced = actor.type === 'user' && body.scoreId !== undefined && (await replaceScore(by, record));
  if (!isReplaced) await pipeline.accept({ projectId, organizationId }, { spans: [], scores: [record] }, 0);
  return { ...shown(record), recordedBy };
}

function readScore(body: ScoreBody, options: ToRecordOptions): ScoreRecord {
  try {
    return scoreRecord(body, options);
  } catch (error) {
    if (!(error instanceof LineRefusal)) throw error;
    throw new ServiceError('invalid_request', error.message, {
      details: [{ path: error.field === '' ? '' : `/${error.field}`, message: error.message }],
      cause: error,
    });
  }
}

function shown(record: ScoreRecord): Score {
  const text = (stored: string) => (stored === '' ? null : stored);
  return {
    scoreId: record.scoreId,
    traceId: text(record.traceId),
    spanId: text(record.spanId),
    sessionId: text(record.sessionId),
    evaluator: record.evaluator,
    score: Number.isNaN(record.score) ? null : record.score,
    passed: record.passed,
    label: text(record.label),
    comment: text(record.comment),
    model: text(record.model),
    timestamp: new Date(record.timestampMs).toISOString(),
    source: record.source,
  };
}
