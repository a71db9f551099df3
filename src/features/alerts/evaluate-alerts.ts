import { alertTypeNames, alertTypes } from '../../contract/alert-types/index.ts';
import { ServiceError } from '../../contract/errors.ts';
import type { AlertsContext } from './alerts-context.ts';
import { evaluateRule } from './evaluate-rule.ts';
import type { EvaluationResult } from './evaluate-rule.ts';
import { figuresOf } from './figures/figures-of.ts';
import { sharedRead } from './figures/shared-windows-sql.ts';
import { prepareRule } from './prepare-rule.ts';
import type { EvaluatedRule, PreparedRule, Run } from './prepare-rule.ts';
import type { ScopeFigure } from './evaluate-scopes.ts';
import { conditionOfRow } from './rule-record.ts';
import { readScopes } from './scope-store.ts';
import type { RuleRow } from './tables.ts';

/** Statements that run at the same time. */
const concurrency = 3;
/** Evaluations are taken to follow one another without a gap up to this many intervals, and up to this time. */
const gapIntervals = 3;
const leastGapMs = 120_000;

const evaluatedTypes = alertTypeNames.filter((name) => alertTypes[name].figure !== null);

export interface EvaluationJob {
  intervalMs: number;
  onResult(result: EvaluationResult | 'failed'): void;
  onError(rule: { id: string; projectId: string }, error: unknown): void;
}

/** Evaluates every enabled rule once (docs/semantics.md, "Alert rules"). A rule that fails keeps its state, and the others are evaluated. */
export async function evaluateAlerts(context: AlertsContext, job: EvaluationJob, signal: AbortSignal): Promise<void> {
  const maxGapMs = Math.max(gapIntervals * job.intervalMs, leastGapMs);
  const run: Run = { observedSinceMs: await noteRun(context, maxGapMs), maxGapMs };
  const plans = new Map((await context.projectPlans()).map(({ projectId, plan }) => [projectId, plan]));
  const rules = await context.db
    .selectFrom('alert_rules')
    .selectAll()
    .where('enabled', '=', true)
    .where('type', 'in', evaluatedTypes)
    .orderBy('id')
    .execute();
  // After the rules: a rule that is changed in between has another version, and its evaluation is dropped.
  const remembered = await readScopes(context.db);
  const evaluated = rules.flatMap((row): EvaluatedRule[] => {
    const plan = plans.get(row.project_id);
    return plan === undefined ? [] : [{ row, plan, stored: remembered.get(row.id) ?? new Map() }];
  });
  const evaluate = (group: readonly EvaluatedRule[]) => evaluateTogether(context, job, group, run);
  const [silences, others] = partition(evaluated, ({ row }) => alertTypes[row.type].figure?.of === 'arrivals');
  // First, since lack of data of the other rules counts only while spans arrive.
  await forEach(
    silences.map((rule) => [rule]),
    evaluate,
    signal,
  );
  await forEach(readTogether(others), evaluate, signal);
  context.channels.wake();
}

/** Runs `work` for every item, {@link concurrency} at a time; starts none once the signal is aborted. */
async function forEach<T>(items: readonly T[], work: (item: T) => Promise<void>, signal: AbortSignal): Promise<void> {
  const left = items.values();
  const worker = async () => {
    for (const item of left) {
      if (signal.aborted) return;
      await work(item);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
}

function partition<T>(items: readonly T[], matches: (item: T) => boolean): [T[], T[]] {
  return [items.filter(matches), items.filter((item) => !matches(item))];
}

/** The rules by the statement that reads their figures. */
function readTogether(rules: readonly EvaluatedRule[]): EvaluatedRule[][] {
  return [...Map.groupBy(rules, ({ row }) => readOf(row)).values()];
}

/** Names the statement that reads the figures of a rule. A rule whose condition cannot be read has one of its own, and fails alone. */
function readOf(row: RuleRow): string {
  try {
    const condition = conditionOfRow(row);
    const shared = condition && sharedRead(condition);
    return shared === null ? row.id : `${row.project_id} ${shared}`;
  } catch {
    return row.id;
  }
}

/** Evaluates rules whose figures one statement reads. If it fails, each is evaluated by itself. */
async function evaluateTogether(
  context: AlertsContext,
  job: EvaluationJob,
  rules: readonly EvaluatedRule[],
  run: Run,
): Promise<void> {
  try {
    const nowMs = context.clock.now();
    const prepared: PreparedRule[] = [];
    for (const rule of rules) {
      const one = await prepareRule(context, rule, run, nowMs);
      if (one) prepared.push(one);
    }
    const figures = await figuresOf(context, prepared);
    for (const [index, rule] of prepared.entries()) await evaluateOne(context, job, rule, figures[index] ?? []);
  } catch (error) {
    if (rules.length > 1) for (const rule of rules) await evaluateTogether(context, job, [rule], run);
    else for (const { row } of rules) await fail(context, job, row, error);
  }
}

async function evaluateOne(
  context: AlertsContext,
  job: EvaluationJob,
  rule: PreparedRule,
  figures: readonly ScopeFigure[],
): Promise<void> {
  try {
    job.onResult(await evaluateRule(context, rule, figures));
  } catch (error) {
    await fail(context, job, rule.row, error);
  }
}

async function fail(context: AlertsContext, job: EvaluationJob, row: RuleRow, error: unknown): Promise<void> {
  job.onResult('failed');
  job.onError({ id: row.id, projectId: row.project_id }, error);
  await noteFailure(context, row, error).catch((fault: unknown) => job.onError({ id: row.id, projectId: row.project_id }, fault));
}

/** Shows on the rule why its evaluation failed, without internal texts. */
async function noteFailure({ db }: AlertsContext, { id, version }: RuleRow, error: unknown): Promise<void> {
  const reason = error instanceof ServiceError ? error.message : 'The evaluation failed; the log of the service says why.';
  await db.updateTable('alert_rules').set({ last_error: reason }).where('id', '=', id).where('version', '=', version).execute();
}

/** Notes that rules are evaluated now. @returns since when they have been without a gap, epoch milliseconds; null: since ever */
async function noteRun({ db, clock }: AlertsContext, maxGapMs: number): Promise<number | null> {
  const now = new Date(clock.now());
  return db.transaction().execute(async (transaction) => {
    const last = await transaction.selectFrom('alert_observation').selectAll().forUpdate().executeTakeFirst();
    const gap = last !== undefined && now.getTime() - last.evaluated_at.getTime() > maxGapMs;
    // A time that is still to come is of a clock that was ahead: nothing would be observed until then.
    const ahead = last?.observed_since != null && last.observed_since > now;
    const since = gap || ahead ? now : (last?.observed_since ?? null);
    await transaction
      .insertInto('alert_observation')
      .values({ observed_since: since, evaluated_at: now })
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ observed_since: since, evaluated_at: now }))
      .execute();
    return since?.getTime() ?? null;
  });
}
