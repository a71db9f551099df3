import { createHash } from 'node:crypto';
import type { EvaluationTargetType } from '../../contract/evaluations.ts';
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
  const bytes = createHash('sha256').update(JSON.stringify(parts)).digest();
  bytes.writeUIntBE(ms, 0, 6);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x70;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString('hex', 0, 16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
