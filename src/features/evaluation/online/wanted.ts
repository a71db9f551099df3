import type { WrittenSpans } from '../../ingest/index.ts';
import type { Evaluator } from '../evaluator.ts';
import type { Wants } from '../queue/wants.ts';
import { spanTarget, traceTarget } from '../score-id.ts';
import { Turns } from '../turns.ts';
import { matchesFilter } from './matches-filter.ts';
import { factsOfSpan } from './span-facts.ts';
import type { TraceFacts } from './trace-facts.ts';

/** What evaluators have to decide by. */
interface Deciding {
  facts: ReadonlyMap<string, TraceFacts>;
  /** By trace id; see `sampledEvaluators`. */
  sampled: ReadonlyMap<string, readonly Evaluator[]>;
}

/** Adds what the evaluators of spans want of finished spans. */
export async function wantSpans(wants: Wants, spans: WrittenSpans['spans'], { facts, sampled }: Deciding): Promise<void> {
  const turns = new Turns();
  for (const span of spans) {
    if (span.spanId === '' || span.endNs === null) continue;
    const looked = factsOfSpan(span, facts.get(span.traceId));
    const evaluators = sampled.get(span.traceId) ?? [];
    for (const evaluator of evaluators) {
      if (evaluator.target === 'span' && matchesFilter(evaluator.filter, looked))
        wants.add({ evaluator, target: spanTarget(span.traceId, span.spanId) });
    }
    await turns.after(evaluators.length);
  }
}

/** Adds what the evaluators of traces want of traces whose root has finished. */
export async function wantTraces(wants: Wants, { facts, sampled }: Deciding): Promise<void> {
  const turns = new Turns();
  for (const [traceId, trace] of facts) {
    if (!trace.rootFinished) continue;
    const evaluators = sampled.get(traceId) ?? [];
    for (const evaluator of evaluators) {
      if (evaluator.target === 'trace' && matchesFilter(evaluator.filter, trace))
        wants.add({ evaluator, target: traceTarget(traceId) });
    }
    await turns.after(evaluators.length);
  }
}
