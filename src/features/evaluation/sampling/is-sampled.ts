import { hash } from 'node:crypto';

/**
 * Whether an evaluator samples a trace or session: deterministic, and equal for all spans of a trace. Over many ids the share is `rate`. A
 * higher rate includes the ids of a lower one. Evaluators sample independently of each other.
 *
 * @param rate 0 to 1
 */
export function isSampled(evaluatorId: string, id: string, rate: number): boolean {
  if (rate >= 1) return true;
  if (rate <= 0) return false;
  const digest = hash('sha256', `${evaluatorId}\n${id}`, 'hex');
  return Number.parseInt(digest.slice(0, 12), 16) / 2 ** 48 < rate;
}
