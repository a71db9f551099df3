import { sql } from 'kysely';
import { enabledEvaluators } from '../enabled-evaluators.ts';
import type { QueueContext } from '../evaluation-context.ts';
import { needsExpectedOutput } from '../evaluator.ts';
import type { Evaluator } from '../evaluator.ts';
import { Candidates } from '../queue/candidates.ts';
import { enqueue } from '../queue/enqueue.ts';
import { lookedAt, readMetExpressions } from '../sampling/met-expressions.ts';
import { readTraceFacts } from '../sampling/trace-facts.ts';
import type { TraceFacts } from '../sampling/trace-facts.ts';
import { addTraceCandidates } from './find-candidates.ts';
import { addNoLongerMatching } from './no-longer-matching.ts';
import { sampledEvaluators } from './sampled-evaluators.ts';

/** The interval of the check for idle traces without a root. */
export const rootlessCheckMs = 60_000;

/** Time without an arriving span after which such a trace is evaluated (docs/semantics.md, "Online evaluation"). */
const idleMs = 5 * 60_000;
/** Traces per statement. */
const pageSize = 1_000;

/** Traces with what {@link sampledEvaluators} and {@link readTraceFacts} found for them. */
interface Traces {
  facts: ReadonlyMap<string, TraceFacts>;
  sampled: ReadonlyMap<string, readonly Evaluator[]>;
}

/** Records that spans of traces without a root that trace evaluators sample were written. Repeating it delays their evaluation. */
export async function noteRootless(
  { db, clock }: Pick<QueueContext, 'db' | 'clock'>,
  projectId: string,
  { facts, sampled }: Traces,
): Promise<void> {
  const rootless = [...facts]
    .filter(([traceId, trace]) => !trace.hasRoot && (sampled.get(traceId) ?? []).some(({ target }) => target === 'trace'))
    .map(([traceId]) => traceId)
    // One lock order in all replicas avoids deadlocks.
    .toSorted();
  for (let at = 0; at < rootless.length; at += pageSize) {
    await sql`INSERT INTO evaluation_rootless_traces (project_id, trace_id, last_span_at)
      SELECT p.id, new.trace_id, ${iso(clock.now())}::timestamptz
      FROM unnest(${rootless.slice(at, at + pageSize)}::text[]) WITH ORDINALITY AS new (trace_id, place)
      JOIN projects p ON p.id = ${projectId}::uuid
      ORDER BY new.place
      ON CONFLICT (project_id, trace_id) DO UPDATE SET last_span_at = excluded.last_span_at
        WHERE evaluation_rootless_traces.last_span_at < excluded.last_span_at`.execute(db);
  }
}

/**
 * Queues the trace evaluators of traces without a root that are idle. A trace whose root has arrived meanwhile was queued with it. Repeatable.
 *
 * @param signal stops it between two pages
 * @returns traces that were looked at
 */
export async function evaluateRootless(context: QueueContext, signal?: AbortSignal): Promise<number> {
  const { db } = context;
  await sql`DELETE FROM evaluation_rootless_traces WHERE project_id NOT IN (
    SELECT project_id FROM evaluators WHERE enabled AND target = 'trace')`.execute(db);
  const until = iso(context.clock.now() - idleMs);
  let looked = 0;
  for (const [projectId, evaluators] of await enabledEvaluators(db, 'trace')) {
    const online = evaluators.filter(({ type }) => !needsExpectedOutput(type));
    for (let page = pageSize; page === pageSize && !signal?.aborted;) {
      page = await evaluatePage(context, projectId, online, until);
      looked += page;
    }
  }
  if (looked > 0) context.signal.wake();
  return looked;
}

/** @returns traces of the page */
async function evaluatePage(
  context: QueueContext,
  projectId: string,
  evaluators: readonly Evaluator[],
  until: string,
): Promise<number> {
  const { rows } = await sql<{
    trace_id: string;
    last_span_at: Date;
  }>`SELECT trace_id, last_span_at FROM evaluation_rootless_traces
    WHERE project_id = ${projectId}::uuid AND last_span_at <= ${until}::timestamptz
    ORDER BY last_span_at, trace_id LIMIT ${pageSize}`.execute(context.db);
  if (rows.length === 0) return 0;
  const traceIds = rows.map((row) => row.trace_id);
  const sampled = await sampledEvaluators(traceIds, evaluators);
  // As online evaluators do elsewhere, they leave out what arrived before they were enabled.
  for (const { trace_id: traceId, last_span_at: lastSpanAt } of rows) {
    const enabled = sampled.get(traceId)?.filter(({ enabledAtMs }) => enabledAtMs <= lastSpanAt.getTime());
    sampled.set(traceId, enabled ?? []);
  }
  const read = await readTraceFacts(context.clickhouse, projectId, traceIds);
  const facts = new Map([...read].filter(([, trace]) => !trace.hasRoot).map(([id, trace]) => [id, { ...trace, hasRoot: true }]));
  const met = await readMetExpressions(context, projectId, lookedAt(sampled, evaluators));
  const candidates = new Candidates(context.limits.online);
  await addNoLongerMatching(candidates, context.db, projectId, { spans: [], facts, evaluators, sampled, met });
  await addTraceCandidates(candidates, { facts, sampled, met });
  const { kept, beyond } = candidates;
  await context.db.transaction().execute(async (transaction) => {
    await enqueue(context, transaction, projectId, kept, { limit: context.limits.online, beyond });
    // A trace with a span that was recorded meanwhile, which may not have been read, is looked at again.
    await sql`DELETE FROM evaluation_rootless_traces AS noted
      USING unnest(${traceIds}::text[], ${rows.map((row) => iso(row.last_span_at.getTime()))}::timestamptz[]) AS looked (trace_id, last_span_at)
      WHERE noted.project_id = ${projectId}::uuid AND noted.trace_id = looked.trace_id
        AND noted.last_span_at = looked.last_span_at`.execute(transaction);
  });
  return rows.length;
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
