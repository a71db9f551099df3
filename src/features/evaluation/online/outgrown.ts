import { sql } from 'kysely';
import type { WrittenSpans } from '../../ingest/index.ts';
import type { Evaluator } from '../evaluator.ts';
import type { Wanted } from '../queue/enqueue.ts';
import { spanTarget, traceTarget } from '../score-id.ts';
import type { EvaluationDb } from '../tables.ts';
import { isSampled } from './is-sampled.ts';
import { matchesFilter } from './matches-filter.ts';
import { factsOfSpan } from './span-facts.ts';
import type { TraceFacts } from './trace-facts.ts';

interface Written {
  /** Each as it came last. */
  spans: ReadonlyArray<WrittenSpans['spans'][number]>;
  facts: ReadonlyMap<string, TraceFacts>;
  /** Enabled ones. */
  evaluators: readonly Evaluator[];
}

interface Scored {
  evaluator_id: string;
  target_type: 'span' | 'trace';
  trace_id: string;
  span_id: string;
}

/** Trace ids asked for in one query. */
const chunkSize = 1_000;

/**
 * Spans and traces that have just been written, were scored before and no longer fit the filter of the evaluator that scored them: their
 * scores are to be withdrawn. One that the evaluator's share of traces leaves out now, or that runs again, keeps its score.
 */
export async function outgrown(db: EvaluationDb, projectId: string, { spans, facts, evaluators }: Written): Promise<Wanted[]> {
  if (evaluators.length === 0) return [];
  const byId = new Map(evaluators.map((evaluator) => [evaluator.id, evaluator]));
  const byPlace = new Map(spans.map((span) => [`${span.traceId}\n${span.spanId}`, span]));
  const outgrowing: Wanted[] = [];
  for (const scored of await scoredOf(db, projectId, [...new Set(spans.map(({ traceId }) => traceId))])) {
    const { target_type: type, trace_id: traceId, span_id: spanId } = scored;
    const evaluator = byId.get(scored.evaluator_id);
    if (evaluator?.target !== type || !isSampled(evaluator.id, traceId, evaluator.sampleRate)) continue;
    const trace = facts.get(traceId);
    if (type === 'trace') {
      if (trace?.rootFinished && !matchesFilter(evaluator.filter, trace))
        outgrowing.push({ evaluator, target: traceTarget(traceId), withdraws: true });
      continue;
    }
    const span = byPlace.get(`${traceId}\n${spanId}`);
    if (!span || span.endNs === null || matchesFilter(evaluator.filter, factsOfSpan(span, trace))) continue;
    outgrowing.push({ evaluator, target: spanTarget(traceId, spanId), withdraws: true });
  }
  return outgrowing;
}

/** What evaluators have given scores that stand, of these traces. */
async function scoredOf(db: EvaluationDb, projectId: string, traceIds: readonly string[]): Promise<Scored[]> {
  const found: Scored[] = [];
  for (let at = 0; at < traceIds.length; at += chunkSize) {
    const { rows } = await sql<Scored & { status: string }>`
      SELECT DISTINCT ON (score_id) evaluator_id, target_type, trace_id, span_id, status FROM evaluations
      WHERE project_id = ${projectId}::uuid AND trace_id = ANY(${traceIds.slice(at, at + chunkSize)}::text[]) AND trace_id <> ''
        AND target_type IN ('span', 'trace') AND status IN ('completed', 'skipped')
      ORDER BY score_id, created_at DESC, id DESC`.execute(db);
    found.push(...rows.filter(({ status }) => status === 'completed'));
  }
  return found;
}
