import type { Evaluator } from '../evaluator.ts';
import { EventLoopTurns } from '../event-loop-turns.ts';
import { isSampled } from '../sampling/is-sampled.ts';

/**
 * The evaluators that sample each trace, by trace id. Computed once for all spans of a batch, since each decision takes a digest.
 */
export async function sampledEvaluators(
  traceIds: Iterable<string>,
  evaluators: readonly Evaluator[],
): Promise<Map<string, readonly Evaluator[]>> {
  const turns = new EventLoopTurns();
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
