import { sql } from 'kysely';
import { enabledEvaluators } from '../enabled-evaluators.ts';
import type { QueueContext } from '../evaluation-context.ts';
import { needsExpectedOutput } from '../evaluator.ts';
import type { Evaluator } from '../evaluator.ts';
import { enqueue } from '../queue/enqueue.ts';
import { isSampled } from '../sampling/is-sampled.ts';
import { matchesFilter } from '../sampling/matches-filter.ts';
import type { FilterFacts } from '../sampling/matches-filter.ts';
import { readMetExpressions } from '../sampling/met-expressions.ts';
import { sessionTarget } from '../score-id.ts';
import { readSessionFacts } from './session-facts.ts';
import type { Transaction } from '../../../platform/postgres/index.ts';
import { minuteMs } from '../../../contract/durations.ts';

/** The interval of the check for idle sessions (docs/semantics.md, "Session evaluation"). */
export const sessionCheckMs = 10 * 60_000;

/** Sessions per query. */
const pageSize = 500;

const nothing: ReadonlySet<string> = new Set();
const noFacts: FilterFacts = { kinds: [], models: nothing, agents: nothing, environments: nothing, tags: nothing };

interface OpenSession {
  key: string;
  sessionId: string;
  lastSpanMs: number;
}

/**
 * Queues session evaluators for idle sessions (docs/semantics.md, "Session evaluation"), each exactly once per completion. A session
 * completes when no span has arrived for the evaluator's `idleMinutes`, and again after new activity. Only sessions with activity since
 * their last completion are read. Sessions that find the queue full complete at a later check.
 *
 * @returns completions
 */
export async function completeSessions(context: QueueContext): Promise<number> {
  await closeUnwatched(context);
  let completed = 0;
  for (const [projectId, evaluators] of await enabledEvaluators(context.db, 'session')) {
    completed += await completeInProject(context, projectId, evaluators);
  }
  if (completed > 0) context.signal.wake();
  return completed;
}

/** Closes open sessions of projects without an enabled session evaluator. */
async function closeUnwatched({ db }: QueueContext): Promise<void> {
  await sql`UPDATE evaluation_sessions SET open = false WHERE open AND project_id NOT IN (
    SELECT project_id FROM evaluators WHERE enabled AND target = 'session')`.execute(db);
}

async function completeInProject(context: QueueContext, projectId: string, evaluators: readonly Evaluator[]): Promise<number> {
  const now = context.clock.now();
  const idle = evaluators.map(({ idleMinutes }) => idleMinutes * minuteMs);
  let completed = 0;
  let after: OpenSession | null = null;
  for (;;) {
    const sessions: OpenSession[] = await idleSessions(context, projectId, now - Math.min(...idle), after);
    after = sessions.at(-1) ?? null;
    if (!after) return completed;
    let room = true;
    for (const evaluator of evaluators) {
      const due = await dueFor(context, evaluator, sessions, now);
      const done = await complete(context, evaluator, due, now);
      completed += done.completed;
      room &&= done.room;
    }
    if (!room) return completed;
    await close(context, projectId, sessions, now - Math.max(...idle));
    if (sessions.length < pageSize) return completed;
  }
}

async function idleSessions(
  { db }: QueueContext,
  projectId: string,
  untilMs: number,
  after: OpenSession | null,
): Promise<OpenSession[]> {
  const behind = after
    ? sql`AND (last_span_at, session_key) > (${iso(after.lastSpanMs)}::timestamptz, ${after.key}::uuid)`
    : sql``;
  const { rows } = await sql<{ session_key: string; session_id: string; last_span_at: Date }>`
    SELECT session_key, session_id, last_span_at FROM evaluation_sessions
    WHERE project_id = ${projectId}::uuid AND open AND last_span_at <= ${iso(untilMs)}::timestamptz ${behind}
    ORDER BY last_span_at, session_key LIMIT ${pageSize}`.execute(db);
  return rows.map((row) => ({
    key: row.session_key,
    sessionId: JSON.parse(row.session_id) as string,
    lastSpanMs: row.last_span_at.getTime(),
  }));
}

/** The idle sessions that an evaluator must evaluate. */
async function dueFor(
  context: QueueContext,
  evaluator: Evaluator,
  sessions: readonly OpenSession[],
  nowMs: number,
): Promise<OpenSession[]> {
  if (needsExpectedOutput(evaluator.type)) return [];
  const idle = sessions.filter(
    ({ sessionId, lastSpanMs }) =>
      lastSpanMs <= nowMs - evaluator.idleMinutes * minuteMs &&
      lastSpanMs >= evaluator.enabledAtMs &&
      isSampled(evaluator.id, sessionId, evaluator.sampleRate),
  );
  const { filter } = evaluator;
  if (idle.length === 0 || Object.values(filter).every((values) => values === undefined)) return idle;
  const ids = idle.map(({ sessionId }) => sessionId);
  const facts = await readSessionFacts(context.clickhouse, evaluator.projectId, ids, filter.kinds !== undefined);
  const met = await readMetExpressions(context, evaluator.projectId, new Map([[evaluator, ids]]));
  return idle.filter(({ sessionId }) => matchesFilter(filter, facts.get(sessionId) ?? noFacts) && met.byId(evaluator, sessionId));
}

/** Records completions and queues their evaluations in one transaction. */
async function complete(
  context: QueueContext,
  evaluator: Evaluator,
  due: readonly OpenSession[],
  nowMs: number,
): Promise<{ completed: number; room: boolean }> {
  if (due.length === 0) return { completed: 0, room: true };
  const { db, jobs, limits } = context;
  return db.transaction().execute(async (transaction) => {
    const room = limits.online - (await jobs.unfinished(transaction, evaluator.projectId, limits.online));
    const fitting = due.slice(0, Math.max(0, room));
    const keys = await recordCompletions(transaction, evaluator.id, fitting, nowMs);
    const candidates = fitting
      .filter(({ key }) => keys.has(key))
      .map(({ sessionId }) => ({ evaluator, target: sessionTarget(sessionId) }));
    await enqueue(context, transaction, evaluator.projectId, candidates, { limit: Number.POSITIVE_INFINITY });
    return { completed: candidates.length, room: fitting.length === due.length };
  });
}

/** @returns keys of the sessions that had not completed since their last activity */
async function recordCompletions(
  transaction: Transaction,
  evaluatorId: string,
  sessions: readonly OpenSession[],
  nowMs: number,
): Promise<Set<string>> {
  if (sessions.length === 0) return new Set();
  const { rows } = await sql<{ session_key: string }>`
    INSERT INTO session_completions (evaluator_id, session_key, last_span_at, completed_at)
    SELECT e.id, silent.key, silent.last_span_at, ${iso(nowMs)}::timestamptz
    FROM unnest(
      ${sessions.map(({ key }) => key)}::uuid[], ${sessions.map(({ lastSpanMs }) => iso(lastSpanMs))}::timestamptz[]
    ) AS silent (key, last_span_at)
    JOIN evaluators e ON e.id = ${evaluatorId}::uuid AND e.enabled
    ORDER BY silent.key
    ON CONFLICT (evaluator_id, session_key) DO UPDATE SET last_span_at = excluded.last_span_at, completed_at = excluded.completed_at
      WHERE session_completions.last_span_at < excluded.last_span_at
    RETURNING session_key`.execute(transaction);
  return new Set(rows.map((row) => row.session_key));
}

/** Closes sessions that are idle for every evaluator; new activity opens them again. */
async function close({ db }: QueueContext, projectId: string, sessions: readonly OpenSession[], untilMs: number): Promise<void> {
  const keys = sessions.filter(({ lastSpanMs }) => lastSpanMs <= untilMs).map(({ key }) => key);
  if (keys.length === 0) return;
  await sql`UPDATE evaluation_sessions SET open = false
    WHERE project_id = ${projectId}::uuid AND session_key = ANY(${keys}::uuid[]) AND last_span_at <= ${iso(untilMs)}::timestamptz`.execute(
    db,
  );
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
