import type { WrittenSpans } from '../../ingest/index.ts';
import { needsExpectedOutput } from '../evaluator.ts';
import type { Evaluator } from '../evaluator.ts';
import type { QueueContext } from '../evaluation-context.ts';
import { enqueue } from '../queue/enqueue.ts';
import { Wants } from '../queue/wants.ts';
import { touchSessions } from '../sessions/touch-sessions.ts';
import { looksOnlyAtTheSpan } from './matches-filter.ts';
import { wantOutgrown } from './outgrown.ts';
import { sampledEvaluators } from './sampled-evaluators.ts';
import { readTraceFacts } from './trace-facts.ts';
import { wantSpans, wantTraces } from './wanted.ts';

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
  const online = enabled.filter(({ type, target }) => target !== 'session' && !needsExpectedOutput(type));
  if (online.length > 0) await queueSpans(context, projectId, latestSpans(spans), online);
  if (enabled.some(({ target }) => target === 'session')) await touchSessions(context, projectId, spans, receivedMs);
}

/** @param evaluators of spans and traces */
async function queueSpans(
  context: QueueContext,
  projectId: string,
  spans: readonly WrittenSpan[],
  evaluators: readonly Evaluator[],
): Promise<void> {
  const sampled = await sampledEvaluators(new Set(spans.map(({ traceId }) => traceId)), evaluators);
  const facts = await readTraceFacts(
    context.clickhouse,
    projectId,
    tracesToLookAt(sampled, evaluators),
    evaluators.some(({ target, filter }) => target === 'span' && filter.agents),
  );
  const wants = new Wants(context.limits.online);
  await wantOutgrown(wants, context.db, projectId, { spans, facts, evaluators, sampled });
  await wantSpans(wants, spans, { facts, sampled });
  await wantTraces(wants, { facts, sampled });
  const { kept, beyond } = wants;
  if (kept.length + beyond === 0) return;
  await enqueue(context.db, projectId, kept, { nowMs: context.clock.now(), limit: context.limits.online, beyond });
  context.signal.wake();
}

/** Each span as it came last. */
function latestSpans(spans: readonly WrittenSpan[]): WrittenSpan[] {
  return [...new Map(spans.map((span) => [`${span.traceId}\n${span.spanId}`, span])).values()];
}

/** Traces that a filter or a trace's evaluator has to know more of than the batch says. */
function tracesToLookAt(sampled: ReadonlyMap<string, readonly Evaluator[]>, evaluators: readonly Evaluator[]): string[] {
  const looking = new Set(evaluators.filter(({ target, filter }) => target === 'trace' || !looksOnlyAtTheSpan(filter)));
  return [...sampled].filter(([, taken]) => taken.some((evaluator) => looking.has(evaluator))).map(([traceId]) => traceId);
}
