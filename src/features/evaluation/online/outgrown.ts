import { sql } from 'kysely';
import type { WrittenSpans } from '../../ingest/index.ts';
import type { Evaluator } from '../evaluator.ts';
import type { Wants } from '../queue/wants.ts';
import { spanTarget, traceTarget } from '../score-id.ts';
import type { Target } from '../score-id.ts';
import type { EvaluationDb } from '../tables.ts';
import { Turns } from '../turns.ts';
import { matchesFilter } from './matches-filter.ts';
import { factsOfSpan } from './span-facts.ts';
import type { TraceFacts } from './trace-facts.ts';

type WrittenSpan = WrittenSpans['spans'][number];

interface Written {
  /** Each as it came last. */
  spans: readonly WrittenSpan[];
  facts: ReadonlyMap<string, TraceFacts>;
  /** Enabled ones. */
  evaluators: readonly Evaluator[];
  /** Those of them that look at a trace, for each trace; see `sampledEvaluators`. */
  sampled: ReadonlyMap<string, readonly Evaluator[]>;
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
 * Adds the spans and traces that have just been written, were scored before and no longer fit the filter of the evaluator that scored them:
 * their scores are to be withdrawn. One that the evaluator's share of traces leaves out now, or that runs again, keeps its score.
 */
export async function wantOutgrown(wants: Wants, db: EvaluationDb, projectId: string, written: Written): Promise<void> {
  const turns = new Turns();
  const byId = new Map(written.evaluators.map((evaluator) => [evaluator.id, evaluator]));
  const byPlace = new Map(written.spans.map((span) => [`${span.traceId}\n${span.spanId}`, span]));
  const traceIds = [...written.sampled.keys()];
  for (let at = 0; at < traceIds.length; at += chunkSize) {
    for (const scored of await scoredOf(db, projectId, traceIds.slice(at, at + chunkSize))) {
      const evaluator = byId.get(scored.evaluator_id);
      const target = evaluator && outgrownTarget(evaluator, scored, byPlace, written);
      if (target) wants.add({ evaluator, target, withdraws: true });
      await turns.after(1);
    }
  }
}

/** What no longer fits the evaluator that scored it; null when it does. */
function outgrownTarget(
  evaluator: Evaluator,
  { target_type: type, trace_id: traceId, span_id: spanId }: Scored,
  byPlace: ReadonlyMap<string, WrittenSpan>,
  { facts, sampled }: Pick<Written, 'facts' | 'sampled'>,
): Target | null {
  if (evaluator.target !== type || !sampled.get(traceId)?.includes(evaluator)) return null;
  const trace = facts.get(traceId);
  if (type === 'trace') return trace?.rootFinished && !matchesFilter(evaluator.filter, trace) ? traceTarget(traceId) : null;
  const span = byPlace.get(`${traceId}\n${spanId}`);
  if (!span || span.endNs === null || matchesFilter(evaluator.filter, factsOfSpan(span, trace))) return null;
  return spanTarget(traceId, spanId);
}

/** What evaluators have given scores that stand, of these traces. */
async function scoredOf(db: EvaluationDb, projectId: string, traceIds: readonly string[]): Promise<Scored[]> {
  const { rows } = await sql<Scored & { status: string }>`
    SELECT DISTINCT ON (score_id) evaluator_id, target_type, trace_id, span_id, status FROM evaluations
    WHERE project_id = ${projectId}::uuid AND trace_id = ANY(${traceIds}::text[]) AND trace_id <> ''
      AND target_type IN ('span', 'trace') AND status IN ('completed', 'skipped')
    ORDER BY score_id, created_at DESC, id DESC`.execute(db);
  return rows.filter(({ status }) => status === 'completed');
}
