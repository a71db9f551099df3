import type { Evaluator } from '../evaluator.ts';
import { Turns } from '../turns.ts';
import { isSampled } from './is-sampled.ts';

/**
 * The evaluators that look at each trace as far as their share of traces goes, by trace id. It is decided once for all spans of a batch, since
 * each decision takes a digest.
 */
export async function sampledEvaluators(
  traceIds: Iterable<string>,
  evaluators: readonly Evaluator[],
): Promise<Map<string, readonly Evaluator[]>> {
  const turns = new Turns();
  const sampled = new Map<string, readonly Evaluator[]>();
  for (const traceId of traceIds) {
    sampled.set(
      traceId,
      evaluators.filter(({ id, sampleRate }) => isSampled(id, traceId, sampleRate)),
    );
    await turns.after(evaluators.length);
  }
  return sampled;
}
