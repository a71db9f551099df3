import { sql } from 'kysely';
import type { RawBuilder, Transaction } from 'kysely';
import { isUniqueViolation } from '../../../platform/postgres/index.ts';
import type { EvaluationDb, EvaluationTables } from '../tables.ts';
import type { EvaluationUsage } from '../types/evaluator-type.ts';
import type { Claimed } from './claim.ts';

/** What became of a run. */
export type Outcome =
  | { status: 'completed'; score: number; passed: boolean | null; comment: string | null; usage: EvaluationUsage | null }
  /** `withdraws`: the score that was given before no longer holds. */
  | { status: 'skipped'; reason: string; withdraws: boolean }
  | { status: 'failed'; error: string; usage: EvaluationUsage | null }
  /** To be tried again; `counts`: the attempt is one of those that an evaluation has. */
  | { status: 'again'; error: string | null; afterMs: number; counts: boolean; usage: EvaluationUsage | null }
  /** Nothing has changed since it was evaluated last, or there is nothing to evaluate with: it leaves no trace. */
  | { status: 'dropped' };

export interface Settled {
  claimed: Claimed;
  outcome: Outcome;
  contentHash: string;
}

/** Longest text that is kept of a comment or an error. */
const longestText = 20_000;
const mostTries = 3;

/** Writes down what became of runs; of those that this process no longer holds, nothing. */
export async function settle(db: EvaluationDb, settled: readonly Settled[], nowMs: number): Promise<void> {
  if (settled.length === 0) return;
  for (let tries = 1; ; tries++) {
    try {
      await db.transaction().execute((transaction) => settleIn(transaction, settled, nowMs));
      return;
    } catch (error) {
      // The same target was queued between our look and our update.
      if (tries === mostTries || !isUniqueViolation(error, 'evaluations_queued')) throw error;
    }
  }
}

async function settleIn(transaction: Transaction<EvaluationTables>, settled: readonly Settled[], nowMs: number): Promise<void> {
  const again = settled.filter(({ outcome }) => outcome.status === 'again');
  const dropped = settled.filter(({ outcome }) => outcome.status === 'dropped');
  const finished = settled.filter(({ outcome }) => outcome.status !== 'again' && outcome.status !== 'dropped');
  // What was queued anew meanwhile is tried again by that.
  await remove(
    transaction,
    again,
    sql`AND EXISTS (SELECT 1 FROM evaluations AS other WHERE other.score_id = evaluations.score_id AND other.status = 'queued')`,
  );
  await remove(transaction, dropped, sql``);
  for (const { claimed, outcome } of again) {
    if (outcome.status !== 'again') continue;
    const { error, afterMs, counts, usage } = outcome;
    await sql`UPDATE evaluations SET status = 'queued', run_at = ${iso(nowMs + afterMs)}::timestamptz, lease_until = NULL,
        error = ${error === null ? null : textOf(error)}, attempts = ${claimed.attempts - (counts ? 0 : 1)},
        input_tokens = coalesce(evaluations.input_tokens + used.input_tokens, used.input_tokens, evaluations.input_tokens),
        output_tokens = coalesce(evaluations.output_tokens + used.output_tokens, used.output_tokens, evaluations.output_tokens),
        cost_usd = coalesce(evaluations.cost_usd + used.cost_usd, used.cost_usd, evaluations.cost_usd)
      FROM (SELECT ${tokens(usage?.inputTokens)}::bigint, ${tokens(usage?.outputTokens)}::bigint, ${usage?.costUsd ?? null}::float8)
        AS used (input_tokens, output_tokens, cost_usd)
      WHERE id = ${claimed.id}::uuid AND status = 'running' AND attempts = ${claimed.attempts}`.execute(transaction);
  }
  await finish(transaction, finished, nowMs);
}

async function remove(
  transaction: Transaction<EvaluationTables>,
  settled: readonly Settled[],
  condition: RawBuilder<unknown>,
): Promise<void> {
  if (settled.length === 0) return;
  await sql`DELETE FROM evaluations USING unnest(
      ${settled.map(({ claimed }) => claimed.id)}::uuid[], ${settled.map(({ claimed }) => claimed.attempts)}::int[]
    ) AS held (id, attempts)
    WHERE evaluations.id = held.id AND evaluations.attempts = held.attempts AND evaluations.status = 'running' ${condition}`.execute(
    transaction,
  );
}

async function finish(transaction: Transaction<EvaluationTables>, settled: readonly Settled[], nowMs: number): Promise<void> {
  if (settled.length === 0) return;
  const rows = settled.map(({ claimed, outcome, contentHash }) => ({ claimed, contentHash, ...columnsOf(outcome) }));
  await sql`UPDATE evaluations SET status = done.status, score = done.score, passed = done.passed, comment = done.comment, error = done.error,
      input_tokens = coalesce(evaluations.input_tokens + done.input_tokens, done.input_tokens, evaluations.input_tokens),
      output_tokens = coalesce(evaluations.output_tokens + done.output_tokens, done.output_tokens, evaluations.output_tokens),
      cost_usd = coalesce(evaluations.cost_usd + done.cost_usd, done.cost_usd, evaluations.cost_usd), content_hash = done.content_hash,
      lease_until = NULL, finished_at = ${iso(nowMs)}::timestamptz
    FROM unnest(
      ${rows.map(({ claimed }) => claimed.id)}::uuid[], ${rows.map(({ claimed }) => claimed.attempts)}::int[],
      ${rows.map(({ status }) => status)}::text[], ${rows.map(({ score }) => score)}::float8[], ${rows.map(({ passed }) => passed)}::bool[],
      ${rows.map(({ comment }) => comment)}::text[], ${rows.map(({ error }) => error)}::text[],
      ${rows.map(({ usage }) => tokens(usage?.inputTokens))}::bigint[], ${rows.map(({ usage }) => tokens(usage?.outputTokens))}::bigint[],
      ${rows.map(({ usage }) => usage?.costUsd ?? null)}::float8[], ${rows.map(({ contentHash }) => contentHash)}::text[]
    ) AS done (id, attempts, status, score, passed, comment, error, input_tokens, output_tokens, cost_usd, content_hash)
    WHERE evaluations.id = done.id AND evaluations.attempts = done.attempts AND evaluations.status = 'running'`.execute(
    transaction,
  );
}

function columnsOf(outcome: Outcome) {
  const empty = { score: null, passed: null, comment: null, error: null, usage: null };
  switch (outcome.status) {
    case 'completed': {
      const { score, passed, comment, usage } = outcome;
      return { ...empty, status: 'completed', score, passed, comment: comment === null ? null : textOf(comment), usage };
    }
    case 'skipped':
      return { ...empty, status: 'skipped', comment: textOf(outcome.reason) };
    case 'failed':
      return { ...empty, status: 'failed', error: textOf(outcome.error), usage: outcome.usage };
    default:
      throw new Error(`${outcome.status} is not the end of an evaluation`);
  }
}

/** As PostgreSQL takes it: no NUL characters, no half surrogate pairs. */
export function textOf(text: string): string {
  return text.slice(0, longestText).replaceAll('\0', '\uFFFD').toWellFormed();
}

function tokens(count: number | undefined): number | null {
  return count === undefined ? null : Math.round(count);
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
