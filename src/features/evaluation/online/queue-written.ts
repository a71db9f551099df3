import { originIn } from '../../records/index.ts';
import type { WrittenSpans } from '../../trace-store/index.ts';
import type { QueueContext } from '../evaluation-context.ts';
import { needsExpectedOutput } from '../evaluator.ts';
import type { Evaluator } from '../evaluator.ts';
import { Candidates } from '../queue/candidates.ts';
import { enqueue } from '../queue/enqueue.ts';
import { looksOnlyAtTheSpan } from '../sampling/matches-filter.ts';
import { asksForAnySource } from '../sampling/expression.ts';
import { lookedAt, readMetExpressions } from '../sampling/met-expressions.ts';
import { readTraceFacts } from '../sampling/trace-facts.ts';
import { touchSessions } from '../sessions/touch-sessions.ts';
import { addSpanCandidates, addTraceCandidates } from './find-candidates.ts';
import { addNoLongerMatching } from './no-longer-matching.ts';
import { readEvaluations } from './read-evaluations.ts';
import { noteRootless } from './rootless-traces.ts';
import { sampledEvaluators } from './sampled-evaluators.ts';

type WrittenSpan = WrittenSpans['spans'][number];

/**
 * The span consumer of evaluation (docs/semantics.md, "Online evaluation"): queues the evaluators of finished spans and of traces whose root
 * has finished, and records activity of sessions and of traces without a root. The pipeline calls it at least once for each batch. Repeating it
 * evaluates nothing twice, since unchanged targets are recognized by their content hash. For a project without evaluators it reads a cache only.
 *
 * Scores of targets that no longer match the filter are withdrawn. A span that arrives after the root has finished has its trace evaluated
 * again, since cost or duration may have changed.
 */
export async function queueWritten(context: QueueContext, projects: readonly WrittenSpans[]): Promise<void> {
  for (const written of projects) await queueProject(context, written);
}

async function queueProject(context: QueueContext, { projectId, spans: written, receivedMs }: WrittenSpans): Promise<void> {
  const project = await context.evaluators.of(projectId);
  const enabled = project?.evaluators.filter((evaluator) => evaluator.enabled) ?? [];
  if (enabled.length === 0) return;
  const online = enabled.filter(({ type, target }) => target !== 'session' && !needsExpectedOutput(type));
  // Simulations and evaluations run evaluators themselves: another one takes their spans where the expression asks for them.
  const evaluations = await readEvaluations(context.clickhouse, projectId, written);
  const spans = written.filter(
    (span) => originIn(span, evaluations.has(span.traceId) ? 'evaluation' : 'application') === 'application',
  );
  const nowMs = context.clock.now();
  const [asking, others] = [true, false].map((asks) => online.filter((evaluator) => asksForAnySource(evaluator, nowMs) === asks));
  await queueSpans(context, projectId, latestSpans(spans), others ?? []);
  await queueSpans(context, projectId, latestSpans(written), asking ?? []);
  if (spans.length === 0) return;
  if (enabled.some(({ target }) => target === 'session')) await touchSessions(context, projectId, spans, receivedMs);
}

/** @param evaluators of spans and traces */
async function queueSpans(
  context: QueueContext,
  projectId: string,
  spans: readonly WrittenSpan[],
  evaluators: readonly Evaluator[],
): Promise<void> {
  if (spans.length === 0 || evaluators.length === 0) return;
  const sampled = await sampledEvaluators(new Set(spans.map(({ traceId }) => traceId)), evaluators);
  const facts = await readTraceFacts(
    context.clickhouse,
    projectId,
    tracesToRead(sampled, evaluators),
    evaluators.some(({ target, filter }) => target === 'span' && filter.agents),
  );
  await noteRootless(context, projectId, { facts, sampled });
  const met = await readMetExpressions(context, projectId, lookedAt(sampled, evaluators));
  const candidates = new Candidates(context.limits.online);
  await addNoLongerMatching(candidates, context.db, projectId, { spans, facts, evaluators, sampled, met });
  await addSpanCandidates(candidates, spans, { facts, sampled, met });
  await addTraceCandidates(candidates, { facts, sampled, met });
  const { kept, beyond } = candidates;
  if (kept.length + beyond === 0) return;
  await enqueue(context, context.db, projectId, kept, { limit: context.limits.online, beyond });
  context.signal.wake();
}

/** Each span once, in its latest version. */
function latestSpans(spans: readonly WrittenSpan[]): WrittenSpan[] {
  return [...new Map(spans.map((span) => [`${span.traceId}\n${span.spanId}`, span])).values()];
}

/** Traces of which filters or trace evaluators need more than the batch contains. */
function tracesToRead(sampled: ReadonlyMap<string, readonly Evaluator[]>, evaluators: readonly Evaluator[]): string[] {
  const reading = new Set(evaluators.filter(({ target, filter }) => target === 'trace' || !looksOnlyAtTheSpan(filter)));
  return [...sampled].filter(([, taken]) => taken.some((evaluator) => reading.has(evaluator))).map(([traceId]) => traceId);
}
