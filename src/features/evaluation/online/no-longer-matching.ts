import { sql } from 'kysely';
import type { WrittenSpans } from '../../trace-store/index.ts';
import type { Evaluator } from '../evaluator.ts';
import { EventLoopTurns } from '../event-loop-turns.ts';
import type { Candidates } from '../queue/candidates.ts';
import { matchesFilter } from '../sampling/matches-filter.ts';
import type { MetExpressions } from '../sampling/met-expressions.ts';
import type { TraceFacts } from '../sampling/trace-facts.ts';
import { spanTarget, traceTarget } from '../score-id.ts';
import type { Target } from '../score-id.ts';
import { factsOfSpan } from './span-facts.ts';
import type { Database } from '../../../platform/postgres/index.ts';

type WrittenSpan = WrittenSpans['spans'][number];

interface Written {
  /** Each span once, in its latest version. */
  spans: readonly WrittenSpan[];
  facts: ReadonlyMap<string, TraceFacts>;
  /** Enabled ones. */
  evaluators: readonly Evaluator[];
  /** Those that sample a trace, by trace id; see `sampledEvaluators`. */
  sampled: ReadonlyMap<string, readonly Evaluator[]>;
  met: MetExpressions;
}

interface Scored {
  evaluator_id: string;
  target_type: 'span' | 'trace';
  trace_id: string;
  span_id: string;
}

/** Trace ids per query. */
const chunkSize = 1_000;

/**
 * Adds written spans and traces that have a score of an evaluator and no longer match its filter: their scores are withdrawn. A score stays
 * where only sampling excludes the target now, or the span runs again.
 */
export async function addNoLongerMatching(
  candidates: Candidates,
  db: Database,
  projectId: string,
  written: Written,
): Promise<void> {
  const turns = new EventLoopTurns();
  const byId = new Map(written.evaluators.map((evaluator) => [evaluator.id, evaluator]));
  const byPlace = new Map(written.spans.map((span) => [`${span.traceId}\n${span.spanId}`, span]));
  const traceIds = [...written.sampled.keys()];
  for (let at = 0; at < traceIds.length; at += chunkSize) {
    for (const scored of await scoredOf(db, projectId, traceIds.slice(at, at + chunkSize))) {
      const evaluator = byId.get(scored.evaluator_id);
      const target = evaluator && noLongerMatchingTarget(evaluator, scored, byPlace, written);
      if (target) candidates.add({ evaluator, target, withdraws: true });
      await turns.after(1);
    }
  }
}

/** The scored target if it no longer matches the evaluator's filter, else null. */
function noLongerMatchingTarget(
  evaluator: Evaluator,
  { target_type: type, trace_id: traceId, span_id: spanId }: Scored,
  byPlace: ReadonlyMap<string, WrittenSpan>,
  { facts, sampled, met }: Pick<Written, 'facts' | 'sampled' | 'met'>,
): Target | null {
  if (evaluator.target !== type || !sampled.get(traceId)?.includes(evaluator)) return null;
  const trace = facts.get(traceId);
  if (type === 'trace') {
    const evaluated = trace?.hasRoot && trace.rootFinished;
    const matches = trace && matchesFilter(evaluator.filter, trace, met.namesKind(evaluator)) && met.byId(evaluator, traceId);
    return evaluated && !matches ? traceTarget(traceId) : null;
  }
  const span = byPlace.get(`${traceId}\n${spanId}`);
  if (!span || span.endNs === null) return null;
  const matches = matchesFilter(evaluator.filter, factsOfSpan(span, trace), met.namesKind(evaluator));
  return matches && met.bySpan(evaluator, traceId, spanId) ? null : spanTarget(traceId, spanId);
}

/** Targets in these traces with a score that is not withdrawn. */
async function scoredOf(db: Database, projectId: string, traceIds: readonly string[]): Promise<Scored[]> {
  const { rows } = await sql<Scored & { status: string }>`
    SELECT DISTINCT ON (score_id) evaluator_id, target_type, trace_id, span_id, status FROM evaluations
    WHERE project_id = ${projectId}::uuid AND trace_id = ANY(${traceIds}::text[]) AND trace_id <> ''
      AND target_type IN ('span', 'trace') AND status IN ('completed', 'skipped')
    ORDER BY score_id, created_at DESC, id DESC`.execute(db);
  return rows.filter(({ status }) => status === 'completed');
}
