import { createHash } from 'node:crypto';
import type { EvaluationTargetType } from '../../contract/kinds.ts';
import { uuidOfDigest } from '../../platform/crypto/uuid-of-digest.ts';
import type { Evaluator } from './evaluator.ts';

/** The target of an evaluation; ids that do not apply are `''`. */
export interface Target {
  type: EvaluationTargetType;
  traceId: string;
  spanId: string;
  sessionId: string;
  runItemId: string;
}

const nothing = { traceId: '', spanId: '', sessionId: '', runItemId: '' };

export function spanTarget(traceId: string, spanId: string): Target {
  return { ...nothing, type: 'span', traceId, spanId };
}

export function traceTarget(traceId: string): Target {
  return { ...nothing, type: 'trace', traceId };
}

export function sessionTarget(sessionId: string): Target {
  return { ...nothing, type: 'session', sessionId };
}

export function runItemTarget(runItemId: string): Target {
  return { ...nothing, type: 'run_item', runItemId };
}

/**
 * The id of an evaluator's score of a target. It is deterministic, so that a later evaluation replaces the score: a UUIDv7 with the
 * evaluator's creation time, and a hash of project, evaluator and target in its other bits.
 */
export function scoreIdOf(evaluator: Pick<Evaluator, 'id' | 'projectId' | 'createdAtMs'>, target: Target): string {
  const { type, traceId, spanId, sessionId, runItemId } = target;
  return uuidOf([evaluator.projectId, evaluator.id, type, traceId, spanId, sessionId, runItemId], evaluator.createdAtMs);
}

/** A fixed-length key for a session, whose id may be long and contain any characters. */
export function sessionKeyOf(projectId: string, sessionId: string): string {
  return uuidOf([projectId, 'session', sessionId], 0);
}

function uuidOf(parts: readonly string[], ms: number): string {
  return uuidOfDigest(createHash('sha256').update(JSON.stringify(parts)).digest(), ms);
}
