import type { WrittenSpans } from '../../trace-store/index.ts';
import type { Evaluator } from '../evaluator.ts';
import { EventLoopTurns } from '../event-loop-turns.ts';
import type { Candidates } from '../queue/candidates.ts';
import { matchesFilter } from '../sampling/matches-filter.ts';
import type { MetExpressions } from '../sampling/met-expressions.ts';
import type { TraceFacts } from '../sampling/trace-facts.ts';
import { spanTarget, traceTarget } from '../score-id.ts';
import { factsOfSpan } from './span-facts.ts';

/** The data by which candidates are chosen. */
interface CandidateFacts {
  facts: ReadonlyMap<string, TraceFacts>;
  /** By trace id; see `sampledEvaluators`. */
  sampled: ReadonlyMap<string, readonly Evaluator[]>;
  met: MetExpressions;
}

/** Adds the finished spans that match the filters of span evaluators. */
export async function addSpanCandidates(
  candidates: Candidates,
  spans: WrittenSpans['spans'],
  { facts, sampled, met }: CandidateFacts,
): Promise<void> {
  const turns = new EventLoopTurns();
  for (const span of spans) {
    if (span.spanId === '' || span.endNs === null) continue;
    const looked = factsOfSpan(span, facts.get(span.traceId));
    const evaluators = sampled.get(span.traceId) ?? [];
    for (const evaluator of evaluators) {
      if (evaluator.target !== 'span' || !matchesFilter(evaluator.filter, looked, met.namesKind(evaluator))) continue;
      if (met.bySpan(evaluator, span.traceId, span.spanId))
        candidates.add({ evaluator, target: spanTarget(span.traceId, span.spanId) });
    }
    await turns.after(evaluators.length);
  }
}

/** Adds the traces with a finished root that match the filters of trace evaluators. */
export async function addTraceCandidates(candidates: Candidates, { facts, sampled, met }: CandidateFacts): Promise<void> {
  const turns = new EventLoopTurns();
  for (const [traceId, trace] of facts) {
    if (!trace.hasRoot || !trace.rootFinished) continue;
    const evaluators = sampled.get(traceId) ?? [];
    for (const evaluator of evaluators) {
      if (evaluator.target !== 'trace' || !matchesFilter(evaluator.filter, trace, met.namesKind(evaluator))) continue;
      if (met.byId(evaluator, traceId)) candidates.add({ evaluator, target: traceTarget(traceId) });
    }
    await turns.after(evaluators.length);
  }
}
