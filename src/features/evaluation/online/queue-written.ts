import type { WrittenSpans } from '../../ingest/index.ts';
import { needsExpectedOutput } from '../evaluator.ts';
import type { Evaluator } from '../evaluator.ts';
import type { QueueContext } from '../evaluation-context.ts';
import { enqueue } from '../queue/enqueue.ts';
import type { Wanted } from '../queue/enqueue.ts';
import { spanTarget, traceTarget } from '../score-id.ts';
import { touchSessions } from '../sessions/touch-sessions.ts';
import { isSampled } from './is-sampled.ts';
import { looksOnlyAtTheSpan, matchesFilter } from './matches-filter.ts';
import { outgrown } from './outgrown.ts';
import { factsOfSpan } from './span-facts.ts';
import { readTraceFacts } from './trace-facts.ts';
import type { TraceFacts } from './trace-facts.ts';

type WrittenSpan = WrittenSpans['spans'][number];

/**
 * Queues what the evaluators of their projects have to do with spans that have just become readable (contract section 7): finished spans,
 * traces whose root has finished, and notes which sessions are active. The pipeline calls it at least once for each batch; repeating it
 * changes nothing, since what was evaluated is known by its content. A project without evaluators costs a look at a map.
 *
 * What was scored and has changed so that it no longer fits the evaluator's filter has that score withdrawn.
 *
 * A span that arrives later in a trace whose root has finished has the trace looked at again: its cost or duration may differ now.
 */
export async function queueWritten(context: QueueContext, projects: readonly WrittenSpans[]): Promise<void> {
  for (const written of projects) await queueProject(context, written);
}

async function queueProject(context: QueueContext, { projectId, spans, receivedMs }: WrittenSpans): Promise<void> {
  const project = await context.evaluators.of(projectId);
  const enabled = project?.evaluators.filter((evaluator) => evaluator.enabled) ?? [];
  if (enabled.length === 0) return;
  const online = enabled.filter(({ type }) => !needsExpectedOutput(type));
  const ofSpans = online.filter(({ target }) => target === 'span');
  const ofTraces = online.filter(({ target }) => target === 'trace');
  const latest = latestSpans(spans);
  const traceIds = tracesToLookAt(latest, ofSpans, ofTraces);
  const facts = await readTraceFacts(
    context.clickhouse,
    projectId,
    traceIds,
    ofSpans.some(({ filter }) => filter.agents),
  );
  const wanted = [
    ...(await outgrown(context.db, projectId, { spans: latest, facts, evaluators: online })),
    ...wantedSpans(latest, ofSpans, facts),
    ...wantedTraces(facts, ofTraces),
  ];
  if (wanted.length > 0) {
    await enqueue(context.db, projectId, wanted, { nowMs: context.clock.now(), limit: context.limits.online });
    context.signal.wake();
  }
  if (enabled.some(({ target }) => target === 'session')) await touchSessions(context, projectId, spans, receivedMs);
}

/** Each span as it came last. */
function latestSpans(spans: readonly WrittenSpan[]): WrittenSpan[] {
  return [...new Map(spans.map((span) => [`${span.traceId}\n${span.spanId}`, span])).values()];
}

/** Traces that a filter or a trace's evaluator has to know more of than the batch says. */
function tracesToLookAt(spans: readonly WrittenSpan[], ofSpans: readonly Evaluator[], ofTraces: readonly Evaluator[]): string[] {
  const traceIds = new Set<string>();
  const looking = ofSpans.filter(({ filter }) => !looksOnlyAtTheSpan(filter));
  for (const { traceId } of spans) {
    if (traceIds.has(traceId)) continue;
    if ([...looking, ...ofTraces].some(({ id, sampleRate }) => isSampled(id, traceId, sampleRate))) traceIds.add(traceId);
  }
  return [...traceIds];
}

function wantedSpans(
  spans: readonly WrittenSpan[],
  evaluators: readonly Evaluator[],
  facts: ReadonlyMap<string, TraceFacts>,
): Wanted[] {
  const wanted: Wanted[] = [];
  for (const span of spans) {
    if (span.spanId === '' || span.endNs === null) continue;
    for (const evaluator of evaluators) {
      if (!isSampled(evaluator.id, span.traceId, evaluator.sampleRate)) continue;
      if (!matchesFilter(evaluator.filter, factsOfSpan(span, facts.get(span.traceId)))) continue;
      wanted.push({ evaluator, target: spanTarget(span.traceId, span.spanId) });
    }
  }
  return wanted;
}

function wantedTraces(facts: ReadonlyMap<string, TraceFacts>, evaluators: readonly Evaluator[]): Wanted[] {
  const wanted: Wanted[] = [];
  for (const [traceId, trace] of facts) {
    if (!trace.rootFinished) continue;
    for (const evaluator of evaluators) {
      if (!isSampled(evaluator.id, traceId, evaluator.sampleRate) || !matchesFilter(evaluator.filter, trace)) continue;
      wanted.push({ evaluator, target: traceTarget(traceId) });
    }
  }
  return wanted;
}
