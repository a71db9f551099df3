import { hash } from 'node:crypto';

/**
 * Whether an evaluator looks at a trace (or session): the same answer whenever and wherever it is asked, and for all spans of a trace. Over
 * many ids a share of `rate` is taken; what a lower rate takes a higher one takes too. Different evaluators take different traces.
 *
 * @param rate 0..1
 */
export function isSampled(evaluatorId: string, id: string, rate: number): boolean {
  if (rate >= 1) return true;
  if (rate <= 0) return false;
  const digest = hash('sha256', `${evaluatorId}\n${id}`, 'hex');
  return Number.parseInt(digest.slice(0, 12), 16) / 2 ** 48 < rate;
}
